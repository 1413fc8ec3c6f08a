package dev.refrain.http;

/** What an edge sends in the end. */
public sealed interface Ending {

    /** The handler's own answer, whole. */
    record Own() implements Ending {}

    /** This, whatever the handler answered, if it ran at all. */
    record Instead(Reply reply) implements Ending {}

    /** The handler's failure goes on to whoever would have met it without protection. */
    record Thrown() implements Ending {}
}
