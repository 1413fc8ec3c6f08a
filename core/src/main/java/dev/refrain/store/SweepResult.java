package dev.refrain.store;
/** What one {@link Store#sweep} did. */
public record SweepResult(int released, int toAttention, boolean more) {}
