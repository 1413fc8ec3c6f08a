package dev.refrain.store;
/** Clock that decides when a lease or a retention is over. */
public enum StoreClock {
    /**
     * The store's own clock, at the moment of the statement; remaining times are exact. A store that keeps whole milliseconds or seconds
     * rounds a time up when it sets it.
     */
    STORE,
    /**
     * No clock that statements can read. A lease ends once a handle has seen the same claim for the whole lease, by its own monotonic
     * clock; the remaining lease is an upper bound, and all of it for a claim that the handle has not seen before. A retention ends once
     * it has ended by the clock of every instance; the remaining life does not include that allowance, so that no cache answers longer,
     * and may be zero while the record is still found. An age may be overstated but never understated.
     */
    NONE
}
