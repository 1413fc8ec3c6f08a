package dev.refrain.http.edge;
/** Response of an edge after a protected handler has ended: the handler's own, another one, or the handler's exception. */
public sealed interface ResponseDecision {

    /** Reason for this response. */
    ResponseOrigin origin();

    /** Sends the handler's own response. */
    record HandlerResponse(ResponseOrigin origin) implements ResponseDecision {}

    /** Sends this response, even if the handler produced another one. */
    record ReplacementResponse(EdgeResponse reply) implements ResponseDecision {
        @Override
        public ResponseOrigin origin() {
            return reply.origin();
        }
    }

    /** Rethrows the handler's exception to the framework, as without protection. */
    record RethrownFailure() implements ResponseDecision {
        @Override
        public ResponseOrigin origin() {
            return new ResponseOrigin.RanNow();
        }
    }
}
