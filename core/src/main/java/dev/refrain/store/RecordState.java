package dev.refrain.store;
/** The states of a record that exists. What may follow what is drawn in {@code docs/architecture.md}. */
public enum RecordState {
    /** Claimed: someone runs it, or did when they were last heard of. */
    IN_PROGRESS,
    /** Done; the outcome never changes before it expires. */
    COMPLETED,
    /** Nobody runs it and it is not done; the next claim runs it under the same record id. */
    RELEASED,
    /** Whether it took effect cannot be known; it is never run again until a person, a rule or a reconciler resolves it. */
    ATTENTION
}
