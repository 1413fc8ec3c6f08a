package dev.refrain.store;

/** What one {@link Store#sweep} did. */
public record Swept(int released, int toAttention, boolean more) {}
