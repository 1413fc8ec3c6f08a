package dev.refrain.spring;

import java.util.OptionalInt;

/**
 * Connections that Refrain holds for itself, and those that are left to the application.
 *
 * @param held how many Refrain holds at most
 * @param heldByOthers how many of the same pool further stores hold
 * @param pool size of the application's pool; empty if it is unknown
 * @param separate whether they come from a pool of Refrain's own
 */
record ConnectionBudget(int held, int heldByOthers, OptionalInt pool, boolean separate) {

    /** A transaction, one that it begins meanwhile (REQUIRES_NEW), and a health check. */
    static final int LEFT_AT_LEAST = 3;

    /** Connections of a store on PostgreSQL: claims; completions; renewals and reads; workers and operators. */
    static final int DEDICATED = 4;

    /** Connection that listens while somebody waits for another instance. */
    static final int LISTENING = 1;

    /** Connections of a relay. */
    static final int RELAY = 2;

    /** Returns how many connections of the pool are left; negative if there are too few. */
    OptionalInt left() {
        return pool.isEmpty() ? pool : OptionalInt.of(pool.getAsInt() - heldByOthers - (separate ? 0 : held));
    }

    String sentence() {
        return "Refrain holds up to " + held + " connections" + (separate ? " of a pool of its own" : "")
                + (heldByOthers == 0 ? "" : ", other stores " + heldByOthers)
                + (pool.isEmpty()
                        ? " of a pool of unknown size"
                        : ", the pool has " + pool.getAsInt() + ", " + left().getAsInt() + " are left");
    }
}
