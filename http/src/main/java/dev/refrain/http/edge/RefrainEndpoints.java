package dev.refrain.http.edge;

import java.util.Optional;
import java.util.function.Supplier;

/** The pages that Refrain itself serves at every edge: the published contract and the status of keys. Thread-safe. */
public final class RefrainEndpoints {

    private final RefrainEndpointPaths paths;
    private final KeyStatusEndpoint status;
    private final Supplier<EdgeResponse> contractPage;
    private final Supplier<EdgeResponse> contractJson;
    private final ProblemResponses problems;

    public RefrainEndpoints(
            RefrainEndpointPaths paths,
            KeyStatusEndpoint status,
            Supplier<EdgeResponse> contractPage,
            Supplier<EdgeResponse> contractJson) {
        this.paths = paths;
        this.status = status;
        this.contractPage = contractPage;
        this.contractJson = contractJson;
        this.problems = new ProblemResponses(paths.contract());
    }

    public RefrainEndpointPaths paths() {
        return paths;
    }

    /**
     * The first step to take for a request to one of these pages; empty if it is to something else.
     *
     * @param path as clients see it, with that of the application
     */
    public Optional<RequestStep> find(String method, String path) {
        if (!paths.contains(path) || !method.equals("GET")) {
            return Optional.empty();
        }
        if (path.equals(paths.contract())) {
            return Optional.of(page(contractPage.get()));
        }
        if (path.equals(paths.contractJson())) {
            return Optional.of(page(contractJson.get()));
        }
        return paths.keyFromPath(path).map(this::statusOf);
    }

    /** Whoever is not known has sent nothing that could be told about, and meets what an unknown path meets. */
    private RequestStep statusOf(String key) {
        return new RequestStep.ResolveScope(found -> switch (found) {
            case RequestStep.ResolveScope.FoundScope.KnownScope known ->
                new RequestStep.AskStore(() -> page(status.statusOf(known.scope(), key)));
            case RequestStep.ResolveScope.FoundScope.UnknownScope unknown -> RequestDecision.PassThrough.unprotected();
            case RequestStep.ResolveScope.FoundScope.UnavailableScope away ->
                new RequestDecision.ImmediateResponse(problems.unavailableCaller());
        });
    }

    private static RequestDecision page(EdgeResponse page) {
        return new RequestDecision.ImmediateResponse(page.withOrigin(new ResponseOrigin.OwnPage()));
    }
}
