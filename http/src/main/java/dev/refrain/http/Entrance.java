package dev.refrain.http;

/** What an edge does with a request. */
public sealed interface Entrance permits Entrance.PassThrough, Entrance.Answered, Exchange, Transacted, Flowing {

    /** Runs the handler as if there were no protection. */
    record PassThrough() implements Entrance {}

    /** Sends this; the handler does not run. */
    record Answered(Reply reply) implements Entrance {}
}
