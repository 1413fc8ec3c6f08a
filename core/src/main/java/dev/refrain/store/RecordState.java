package dev.refrain.store;
/** States of an existing record. {@code docs/architecture.md} shows the transitions. */
public enum RecordState {
    /** Claimed: a caller runs it, or did at its last heartbeat. */
    IN_PROGRESS,
    /** Done; the outcome never changes before the record expires. */
    COMPLETED,
    /** Not done, and nobody runs it; the next claim runs it under the same record id. */
    RELEASED,
    /** It is unknown whether it took effect; it never runs again until a person, a rule or the reconciler resolves it. */
    ATTENTION
}
