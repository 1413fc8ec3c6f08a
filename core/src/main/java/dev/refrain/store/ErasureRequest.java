package dev.refrain.store;
/** Request to erase records, with actor and reason. Immutable. */
public record ErasureRequest(Target target, String who, String why, int limit) {

    public ErasureRequest {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("An erasure is audited. Pass who asks for it and why.");
        }
    }

    /** Selection of the records to erase. */
    public sealed interface Target {}

    /** All records of a scope. */
    public record OfScope(String scope) implements Target {}

    /** All records of a scope whose operation named this person as their subject. */
    public record OfSubject(String scope, String subject) implements Target {}
}
