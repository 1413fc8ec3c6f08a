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
 * What a server publishes about its routes, of which a client needs one thing: for how long a key is remembered. A route that only
 * observes keys runs every request, so there it is for no time at all. Read when it is first
 * asked, and again after an hour; what it said before holds while it cannot be read. Thread-safe.
 */
final class ServerContractCache {

    /** A server that keeps keys for ever; long enough for whoever asks. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private static final System.Logger LOG = System.getLogger(ServerContractCache.class.getName());
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration FRESH = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final URI place;
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

    ServerContractCache(URI place, HttpClient http, Consumer<HttpRequest.Builder> eachAttempt, ClientClock time) {
        this.place = place;
        this.http = http;
        this.eachAttempt = eachAttempt;
        this.time = time;
    }

    /** Zero if keys are only observed; empty if it says nothing of such a request, or could never be read. */
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
        return place.getScheme().equalsIgnoreCase(uri.getScheme())
                && place.getRawAuthority().equalsIgnoreCase(uri.getRawAuthority());
    }

    private List<ContractRoute> routes() throws InterruptedException {
        var read = last;
        if (read != null && time.nanos() - read.at() < FRESH.toNanos()) {
            return read.routes();
        }
        try {
            var now = new FetchedRoutes(read(), time.nanos());
            last = now;
            return now.routes();
        } catch (IOException away) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> place + " cannot be read: "
                            + (read == null ? "the retention that was set holds." : "what it said before holds."),
                    away);
            return read == null ? List.of() : read.routes();
        }
    }

    private List<ContractRoute> read() throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(place);
        eachAttempt.accept(request);
        var received = JdkHttpSender.exchange(http, request.build(), PATIENCE);
        if (received.status() != 200) {
            throw new IOException("The contract was answered with " + received.status() + ".");
        }
        try {
            var routes = new ArrayList<ContractRoute>();
            for (var route : JSON.readTree(received.body()).path("routes")) {
                routes.add(route(route));
            }
            return routes;
        } catch (JacksonException | DateTimeException notOne) {
            throw new IOException("This is not the contract of an API.", notOne);
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

    /** {@code {name}} and {@code *} stand for one segment, {@code **} at the end for all that follows. */
    private static Pattern pattern(String path) {
        var expression = new StringBuilder();
        for (String segment : path.replaceFirst("^/", "").split("/", -1)) {
            boolean any = segment.equals("*") || segment.startsWith("{");
            expression.append(segment.equals("**") ? "(/.*)?" : any ? "/[^/]+" : "/" + Pattern.quote(segment));
        }
        return Pattern.compile(expression.toString());
    }
}
