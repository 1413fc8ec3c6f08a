package dev.refrain.http.edge;

/** The end of a protected handler: what an edge sends. */
public sealed interface ResponseDecision {

    /** What this answer is. */
    ResponseOrigin origin();

    /** The handler's own answer, whole. */
    record HandlerResponse(ResponseOrigin origin) implements ResponseDecision {}

    /** This, whatever the handler answered, if it ran at all. */
    record ReplacementResponse(EdgeResponse reply) implements ResponseDecision {
        @Override
        public ResponseOrigin origin() {
            return reply.origin();
        }
    }

    /** The handler's failure goes on to whoever would have met it without protection. */
    record RethrownFailure() implements ResponseDecision {
        @Override
        public ResponseOrigin origin() {
            return new ResponseOrigin.RanNow();
        }
    }
}
