package dev.refrain.http.edge;

/** The end of a request's walk: what an edge does with the request. */
public sealed interface RequestDecision extends RequestStep
        permits RequestDecision.PassThrough,
                RequestDecision.ImmediateResponse,
                LeasedExchange,
                TransactionalExchange,
                FlowExchange {

    /** Runs the handler as if there were no protection; if the body was read, the handler reads it again. */
    record PassThrough(ResponseOrigin origin) implements RequestDecision {

        /** For a request that no protected route matches. */
        public static PassThrough unprotected() {
            return new PassThrough(new ResponseOrigin.PassedUnprotected());
        }
    }

    /** Sends this; the handler does not run. */
    record ImmediateResponse(EdgeResponse reply) implements RequestDecision {}
}
