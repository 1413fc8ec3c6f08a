package dev.refrain.http.edge;
/**
 * A problem type (RFC 9457) with which an edge rejects requests: {@link EdgeProblem}, and further ones of single edges.
 * Immutable.
 */
public interface ProblemType {

    /** Prefix of every type URI. */
    String TYPES = "urn:refrain:problem:";

    /** Default status; an {@link dev.refrain.http.OutcomeProfile} may set another one for a reused key. */
    int status();

    /** Returns true if the same request under the same key may succeed later and is safe to resend. */
    boolean retryable();

    String title();

    /** Name in type URIs and anchors; never changes once published. */
    String slug();

    default String type() {
        return TYPES + slug();
    }
}
