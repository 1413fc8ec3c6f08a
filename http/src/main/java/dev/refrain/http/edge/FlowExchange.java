package dev.refrain.http.edge;

import dev.refrain.DelegatedCall;
import dev.refrain.Operation;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.http.RoutePolicy;
import java.util.List;

/** A request whose handler runs a flow. The flow claims the key when it begins, and what it answers is the answer. */
public final class FlowExchange implements RequestDecision {

    private static final int REFUSED = 400;

    private final RouteProtection protection;
    private final Operation<Outcome.Answer> operation;
    private final KeyedRequest request;

    FlowExchange(RouteProtection protection, Operation<Outcome.Answer> operation, KeyedRequest request) {
        this.protection = protection;
        this.operation = operation;
        this.request = request;
    }

    /** A handler, on one thread. */
    @FunctionalInterface
    public interface FlowHandler<X extends Exception> {

        /** Gives the status that it answered with. */
        int run() throws X;
    }

    public RoutePolicy policy() {
        return protection.policy();
    }

    /** What the answer says beside its own, whatever it is: set before the handler runs, which may throw. */
    public List<OutcomeHeader> headers() {
        return request.headers();
    }

    /**
     * Runs the handler. If it refuses the request without running its flow, nothing is claimed and its own answer goes out.
     *
     * @throws X what the handler threw, if its flow has not come to an answer
     */
    public <X extends Exception> ResponseDecision run(FlowHandler<X> handler) throws X {
        try (var offered = DelegatedCall.delegate(operation, request.call())) {
            int status;
            try {
                status = handler.run();
            } catch (Exception thrown) {
                if (offered.result().isEmpty() && offered.failure().isEmpty()) {
                    throw thrown;
                }
                return told(offered);
            }
            if (offered.result().isEmpty() && offered.failure().isEmpty()) {
                requireRefusal(status);
                return new ResponseDecision.HandlerResponse(new ResponseOrigin.PassedUnprotected());
            }
            return told(offered);
        }
    }

    private ResponseDecision told(DelegatedCall offered) {
        return new ResponseDecision.ReplacementResponse(offered.result()
                .map(result -> protection.responseFor(result, request))
                .orElseGet(() -> protection.responseFor(offered.failure().orElseThrow())));
    }

    private void requireRefusal(int status) {
        if (status < REFUSED) {
            throw new IllegalStateException(
                    "The handler of " + protection.route().name() + " answered " + status
                            + " but ran no flow: its mode is flow, so what it did was not protected. Call Flows.attempt(flow, request) in it.");
        }
    }
}
