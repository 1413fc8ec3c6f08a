package dev.refrain.api;

/** What becomes of a claim whose lease is over before it was completed. Every leased operation says which; none is assumed. */
public enum LeaseExpiryPolicy {
    /** The next retry runs it again, under the same derived keys: for work that is safe to repeat under those keys. */
    RESUME,
    /** It goes to {@code ATTENTION}: for work that must not run twice even if that means someone has to look. */
    HOLD
}
