package dev.refrain.api;
/** Handling of a claim whose lease expires before it was completed. Every leased operation chooses one; there is no default. */
public enum LeaseExpiryPolicy {
    /** The next retry runs the work again, under the same derived keys: for work that is safe to repeat under those keys. */
    RESUME,
    /**
     * The record moves to {@code ATTENTION}: for work that must never run twice, at the price that a person may have to look.
     */
    HOLD
}
