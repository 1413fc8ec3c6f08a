package dev.refrain.http.edge;

/** A kind of refusal that clients are told, with a type of its own: {@link EdgeProblem}, and what single edges add. Immutable. */
public interface ProblemType {

    /** What every type begins with. */
    String TYPES = "urn:refrain:problem:";

    /** Its usual status; a profile may say otherwise for a key that was used before. */
    int status();

    /** Whether the same request under the same key may fare better, and is safe to send again. */
    boolean retryable();

    String title();

    /** Its name in types and anchors; never changed once it was published. */
    String slug();

    default String type() {
        return TYPES + slug();
    }
}
