package dev.refrain.store;
/** Whose records are to be erased, who asks and why. */
public record ErasureRequest(Target target, String who, String why, int limit) {

    public ErasureRequest {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("An erasure is audited: say who asks for it and why.");
        }
    }

    /** What the records have in common. */
    public sealed interface Target {}

    /** All records of a scope. */
    public record OfScope(String scope) implements Target {}

    /** All records of a scope whose operation named this person as their subject. */
    public record OfSubject(String scope, String subject) implements Target {}
}
