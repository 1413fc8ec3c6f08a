package dev.refrain.http.edge;

import dev.refrain.Refrain;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.ClientKey;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The pages that Refrain itself serves at every edge: the published contract and the status of keys. Thread-safe. */
public final class ContractAndStatusPages {

    private static final Set<String> READING = Set.of("GET", "HEAD");

    private final ContractAndStatusPaths paths;
    private final List<KeyStatusEndpoint> statuses;
    private final Supplier<EdgeResponse> contractPage;
    private final Supplier<EdgeResponse> contractJson;
    private final ProblemResponses problems;

    /**
     * Creates the pages.
     *
     * @param namespace the namespace of the API's keys
     */
    public ContractAndStatusPages(
            Refrain refrain,
            String namespace,
            ContractAndStatusPaths paths,
            Supplier<EdgeResponse> contractPage,
            Supplier<EdgeResponse> contractJson) {
        this(paths, List.of(new KeyStatusEndpoint(refrain, namespace, paths)), contractPage, contractJson);
    }

    /**
     * Creates the pages.
     *
     * @param statuses the status of keys, of each store at paths of its own
     */
    public ContractAndStatusPages(
            ContractAndStatusPaths paths,
            List<KeyStatusEndpoint> statuses,
            Supplier<EdgeResponse> contractPage,
            Supplier<EdgeResponse> contractJson) {
        this.paths = paths;
        this.statuses = List.copyOf(statuses);
        this.contractPage = contractPage;
        this.contractJson = contractJson;
        this.problems = new ProblemResponses(paths.contract());
    }

    public ContractAndStatusPaths paths() {
        return paths;
    }

    /**
     * Returns the first step for a request to the base path or below it, whether there is a page or not; empty for any other request.
     * Nothing of it reaches the handlers of the application.
     *
     * @param path the path as clients see it, with the context path
     * @param memory the memory of the exchange, which the edge closes when the exchange is over
     */
    public Optional<RequestStep> find(String method, String path, BufferReservation memory) {
        if (!paths.contains(path)) {
            return Optional.empty();
        }
        return Optional.of(READING.contains(method.toUpperCase(Locale.ROOT)) ? read(path, memory) : page(notAllowed()));
    }

    private RequestStep read(String path, BufferReservation memory) {
        if (path.equals(paths.contract())) {
            return page(contractPage.get());
        }
        if (path.equals(paths.contractJson())) {
            return page(contractJson.get());
        }
        return statuses.stream()
                .flatMap(status -> status.keyFromPath(path).map(key -> statusOf(status, key, memory)).stream())
                .findFirst()
                .orElseGet(() -> page(problems.response(
                        EdgeProblem.NO_SUCH_PAGE,
                        "There are " + paths.contract() + ", " + paths.contractJson()
                                + " and the addresses that a 202 names.")));
    }

    private EdgeResponse notAllowed() {
        return problems.response(EdgeProblem.METHOD_NOT_ALLOWED, "Use GET.")
                .withHeader(new AnswerHeader("Allow", "GET, HEAD"));
    }

    /** Looks up a key's status in the caller's scope. */
    private RequestStep statusOf(KeyStatusEndpoint status, String key, BufferReservation memory) {
        return new RequestStep.ResolveScope(found -> switch (found) {
            case RequestStep.ResolveScope.FoundScope.KnownScope known -> {
                memory.ownedBy(known.scope());
                yield new RequestStep.AskStore(() ->
                        buffered(status.statusOf(ClientKey.scope(known.scope()).key(key)), memory));
            }
            case RequestStep.ResolveScope.FoundScope.UnknownScope unknown ->
                page(problems.response(EdgeProblem.CALLER_UNKNOWN, "A key is shown to its caller only. Authenticate."));
            case RequestStep.ResolveScope.FoundScope.UnavailableScope away ->
                new RequestDecision.ImmediateResponse(problems.unavailableCaller());
        });
    }

    private RequestDecision buffered(EdgeResponse outcome, BufferReservation memory) {
        return memory.tryHold(outcome.body().size())
                ? page(outcome)
                : new RequestDecision.ImmediateResponse(
                        problems.response(EdgeProblem.BUFFERS_FULL, "Ask again a little later."));
    }

    private static RequestDecision page(EdgeResponse page) {
        return new RequestDecision.ImmediateResponse(page.withOrigin(new ResponseOrigin.OwnPage()));
    }
}
