package dev.refrain.store;
/** Clock that decides when a lease or a retention is over. */
public enum StoreClock {
    /**
     * The store's own clock, at the moment of the statement; remaining times are exact. A store that keeps whole milliseconds or seconds
     * rounds a time up when it sets it.
     */
    STORE,
    /**
     * No clock that statements can read. A lease ends once a handle has seen the same claim under the same lease, not renewed by anybody,
     * for the whole lease, by its own monotonic clock: from the answer that showed it first to the question whose answer shows it last. The
     * remaining lease is an upper bound, and all of it for a claim that the handle has not seen before.
     *
     * <p>A retention ends once it has ended by the clock of every instance. By how much these may differ is a setting of the store. The
     * remaining life does not include that allowance, so that no cache answers longer, and may be zero while the record is still found.
     * An age includes it: it may be overstated but never understated, as long as the clocks keep within the allowance.
     */
    NONE
}
