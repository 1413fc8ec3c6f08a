package dev.refrain.gateway;

import dev.refrain.Refrain;
import dev.refrain.gateway.GatewayRuleSet.ProtectedRoute;
import dev.refrain.gateway.internal.config.UncoveredRequestPolicy;
import dev.refrain.http.edge.ProblemResponses;
import dev.refrain.http.edge.RequestDecision;
import dev.refrain.http.edge.RequestStep;
import dev.refrain.http.edge.UncoveredKeyReporter;
import java.util.List;
import org.eclipse.jetty.server.Request;

/** Requests that no route covers. Those with a key are refused, or pass and are reported once for each method. Thread-safe. */
final class UncoveredRequests {

    private final UncoveredRequestPolicy policy;
    private final ProblemResponses problems;
    private final UncoveredKeyReporter reporter;

    UncoveredRequests(
            Refrain refrain, UncoveredRequestPolicy policy, List<ProtectedRoute> routes, ProblemResponses problems) {
        this.reporter = new UncoveredKeyReporter(
                refrain,
                "Add its method to a route in refrain.routes, or set gateway.others to refuse.",
                () -> routes.stream().map(route -> route.protection().route()).toList());
        this.policy = policy;
        this.problems = problems;
    }

    RequestStep decide(Request request) {
        if (!hasKey(request)) {
            return RequestDecision.PassThrough.unprotected();
        }
        if (policy == UncoveredRequestPolicy.REFUSE) {
            return new RequestDecision.ImmediateResponse(problems.response(
                    GatewayProblem.KEY_NOT_HONOURED,
                    "Nothing was done. Send it without a key, or ask for its route to be protected."));
        }
        reporter.report(JettyTranslation.head(request));
        return RequestDecision.PassThrough.unprotected();
    }

    /** Returns whether a request that may change something has a key. */
    boolean hasKey(Request request) {
        return reporter.hasKey(JettyTranslation.head(request));
    }
}
