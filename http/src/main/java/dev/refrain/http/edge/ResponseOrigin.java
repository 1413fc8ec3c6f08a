package dev.refrain.http.edge;

/**
 * The reason why a request is answered as it is, carried by the answer itself: access logs and metrics read it from there.
 * Immutable.
 */
public sealed interface ResponseOrigin {

    /** The handler ran now, under its claim. */
    record RanNow() implements ResponseOrigin {}

    /**
     * The request was done before, and its stored outcome is given again.
     *
     * @param waited whether the request waited for whoever was running it
     */
    record StoredReplay(boolean waited) implements ResponseOrigin {}

    /** The same request is running elsewhere. */
    record StillRunning() implements ResponseOrigin {}

    /** The request was refused, and its handler did not run. */
    record RefusedFor(ProblemType problem) implements ResponseOrigin {}

    /** The handler ran without protection: there was no key, and none was needed. */
    record PassedUnprotected() implements ResponseOrigin {}

    /** The handler ran without protection, because its route only observes. */
    record OnlyObserved() implements ResponseOrigin {}

    /** Refrain itself serves this: the published contract, the status of a key. */
    record OwnPage() implements ResponseOrigin {}
}
