package dev.refrain.http.edge;
/** Last step of a request's walk: pass it through, respond at once, or run its handler under protection. */
public sealed interface RequestDecision extends RequestStep
        permits RequestDecision.PassThrough,
                RequestDecision.ImmediateResponse,
                LeasedExchange,
                TransactionalExchange,
                FlowExchange {

    /** Runs the handler without protection; a body that was already read can be read again. */
    record PassThrough(ResponseOrigin origin) implements RequestDecision {

        /** Creates the decision for a request that no protected route matches. */
        public static PassThrough unprotected() {
            return new PassThrough(new ResponseOrigin.PassedUnprotected());
        }
    }

    /** Sends this response; the handler does not run. */
    record ImmediateResponse(EdgeResponse reply) implements RequestDecision {}
}
