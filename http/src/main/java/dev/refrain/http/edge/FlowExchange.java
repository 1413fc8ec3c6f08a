package dev.refrain.http.edge;

import dev.refrain.DelegatedCall;
import dev.refrain.Operation;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.http.RoutePolicy;
import java.util.List;

/** Request whose handler runs a flow. The flow claims the key when it starts, and its result becomes the response. */
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

    /** The handler, running on one thread. */
    @FunctionalInterface
    public interface FlowHandler<X extends Exception> {

        /** Runs the handler and returns the status of its response. */
        int run() throws X;
    }

    public RoutePolicy policy() {
        return protection.policy();
    }

    /** Returns the headers that every response carries; set them before the handler runs, since it may throw. */
    public List<AnswerHeader> headers() {
        return request.headers();
    }

    /**
     * Runs the handler. If the handler rejects the request before it starts the flow, nothing is claimed and the handler's own
     * response is sent.
     *
     * @throws X the handler's exception, if its flow has no result yet
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
                .orElseGet(() -> protection.responseFor(offered.failure().orElseThrow(), request)));
    }

    private void requireRefusal(int status) {
        if (status < REFUSED) {
            throw new IllegalStateException(
                    "The handler of " + protection.route().name() + " responded with " + status
                            + " but ran no flow: in mode flow only the flow is protected, so this run was not. Call FlowRunner.runForCurrentCall(flow, request) in the handler.");
        }
    }
}
