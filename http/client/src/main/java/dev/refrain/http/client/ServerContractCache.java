package dev.refrain.http.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cache of the contract that a server publishes, for the retention of its routes. It is zero for a route that only
 * observes keys and runs every request. The contract is read on first use and again after an hour; if it cannot be read
 * again, the last one stays in use. Thread-safe.
 */
final class ServerContractCache {

    /** Retention of servers that keep keys for ever. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private static final System.Logger LOG = System.getLogger(ServerContractCache.class.getName());
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration REFRESH_INTERVAL = Duration.ofHours(1);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    private final URI contractUri;
    private final HttpClient http;
    private final Consumer<HttpRequest.Builder> eachAttempt;
    private final ClientClock time;
    private volatile @Nullable FetchedRoutes last;

    private record FetchedRoutes(List<ContractRoute> routes, long at) {}

    private record ContractRoute(Set<String> methods, Pattern path, Duration retention) {
        boolean matches(ResendableRequest request) {
            return methods.contains(request.method())
                    && path.matcher(request.uri().getRawPath()).matches();
        }
    }

    ServerContractCache(URI contractUri, HttpClient http, Consumer<HttpRequest.Builder> eachAttempt, ClientClock time) {
        this.contractUri = contractUri;
        this.http = http;
        this.eachAttempt = eachAttempt;
        this.time = time;
    }

    /**
     * Returns the retention of a request: zero if keys are only observed; empty if the contract does not cover it, or
     * was never read.
     */
    Optional<Duration> retentionOf(ResendableRequest request) throws InterruptedException {
        if (!isSameServer(request.uri())) {
            return Optional.empty();
        }
        return routes().stream()
                .filter(route -> route.matches(request))
                .findFirst()
                .map(ContractRoute::retention);
    }

    private boolean isSameServer(URI uri) {
        return contractUri.getScheme().equalsIgnoreCase(uri.getScheme())
                && contractUri.getRawAuthority().equalsIgnoreCase(uri.getRawAuthority());
    }

    private List<ContractRoute> routes() throws InterruptedException {
        var read = last;
        if (read != null && time.nanos() - read.at() < REFRESH_INTERVAL.toNanos()) {
            return read.routes();
        }
        try {
            var now = new FetchedRoutes(read(), time.nanos());
            last = now;
            return now.routes();
        } catch (IOException failure) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> contractUri + ": cannot read the contract. "
                            + (read == null ? "Using the configured retention." : "Using the contract as last read."),
                    failure);
            return read == null ? List.of() : read.routes();
        }
    }

    private List<ContractRoute> read() throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(contractUri);
        eachAttempt.accept(request);
        var received = JdkHttpSender.exchange(http, request.build(), READ_TIMEOUT);
        if (received.status() != 200) {
            throw new IOException("The contract URI returned status " + received.status() + ".");
        }
        try {
            var routes = new ArrayList<ContractRoute>();
            for (var route : JSON.readTree(received.body()).path("routes")) {
                routes.add(route(route));
            }
            return routes;
        } catch (JacksonException | DateTimeException invalid) {
            throw new IOException("The response is not a contract of Refrain.", invalid);
        }
    }

    private static ContractRoute route(JsonNode described) {
        var methods = new HashSet<String>();
        described.path("methods").forEach(method -> methods.add(method.asString()));
        return new ContractRoute(methods, pattern(described.path("path").asString()), retention(described));
    }

    private static Duration retention(JsonNode described) {
        if (described.path("key").path("required").asString("").equals("observe")) {
            return Duration.ZERO;
        }
        String kept = described.path("retention").asString();
        return kept.equals("for ever") ? FOR_EVER : Duration.parse(kept);
    }

    /**
     * Matches {@code {name}} and {@code *} against one segment, and {@code **} at the end against everything that
     * follows.
     */
    private static Pattern pattern(String path) {
        var expression = new StringBuilder();
        for (String segment : path.replaceFirst("^/", "").split("/", -1)) {
            boolean any = segment.equals("*") || segment.startsWith("{");
            expression.append(segment.equals("**") ? "(/.*)?" : any ? "/[^/]+" : "/" + Pattern.quote(segment));
        }
        return Pattern.compile(expression.toString());
    }
}
