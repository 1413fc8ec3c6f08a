package dev.refrain.http.edge;
/** Reason for a response, carried by the response itself; access logs and metrics read it there. Immutable. */
public sealed interface ResponseOrigin {

    /** The handler ran now, under its claim. */
    record RanNow() implements ResponseOrigin {}

    /**
     * The request was completed before, and its stored outcome is replayed.
     *
     * @param waited whether this request waited for the one that was running
     */
    record StoredReplay(boolean waited) implements ResponseOrigin {}

    /** The same request is running on another thread or instance. */
    record StillRunning() implements ResponseOrigin {}

    /** The request was rejected and its handler did not run. */
    record RefusedFor(ProblemType problem) implements ResponseOrigin {}

    /** The handler ran without protection: the request had no key, and the route requires none. */
    record PassedUnprotected() implements ResponseOrigin {}

    /** The handler ran without protection, because its route is only observed. */
    record OnlyObserved() implements ResponseOrigin {}

    /** Refrain served one of its own pages: the contract or the status of a key. */
    record OwnPage() implements ResponseOrigin {}
}
