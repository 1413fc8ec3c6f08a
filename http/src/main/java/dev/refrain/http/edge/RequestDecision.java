package dev.refrain.http.edge;
/** What an edge does with a request. */
public sealed interface RequestDecision
        permits RequestDecision.PassThrough,
                RequestDecision.ImmediateResponse,
                LeasedExchange,
                TransactionalExchange,
                FlowExchange {

    /** Runs the handler as if there were no protection. */
    record PassThrough() implements RequestDecision {}

    /** Sends this; the handler does not run. */
    record ImmediateResponse(EdgeResponse reply) implements RequestDecision {}
}
