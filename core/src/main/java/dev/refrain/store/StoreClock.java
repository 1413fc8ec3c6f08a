package dev.refrain.store;

/** Whose clock decides that a lease or a retention is over. */
public enum StoreClock {
    /** The store's own, at the moment of the statement; remaining times that it answers are exact. */
    STORE,
    /**
     * Nobody's: the store has no clock that its statements can ask. A remaining lease may be unknown, an age may be overstated but never
     * understated, and a lease or a retention ends late, never early.
     */
    NONE
}
