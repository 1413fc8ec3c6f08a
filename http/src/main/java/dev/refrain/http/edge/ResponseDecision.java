package dev.refrain.http.edge;
/** What an edge sends in the end. */
public sealed interface ResponseDecision {

    /** The handler's own answer, whole. */
    record HandlerResponse() implements ResponseDecision {}

    /** This, whatever the handler answered, if it ran at all. */
    record ReplacementResponse(EdgeResponse reply) implements ResponseDecision {}

    /** The handler's failure goes on to whoever would have met it without protection. */
    record RethrownFailure() implements ResponseDecision {}
}
