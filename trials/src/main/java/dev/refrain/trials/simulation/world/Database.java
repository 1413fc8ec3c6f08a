package dev.refrain.trials.simulation.world;

import dev.refrain.key.Lookup;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.Write;
import dev.refrain.trials.simulation.law.Deed;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Law;
import dev.refrain.trials.simulation.law.Run;
import dev.refrain.trials.simulation.machine.Chance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the store's records have around them in a database: locks, and a table of bookings that commits with them. */
final class Database {

    private final Store store;
    private final Eyes eyes;
    private final Law law;
    private final Chance chance;
    private final Map<Lookup, SimulatedTransaction> locks = new HashMap<>();

    Database(Store store, Eyes eyes, Law law, Chance chance) {
        this.store = store;
        this.eyes = eyes;
        this.law = law;
        this.chance = chance;
    }

    /** How work writes in its transaction. */
    static final class Bookings {
        private final List<Run> rows = new ArrayList<>();

        void add(Run run) {
            rows.add(run);
        }

        void clear() {
            rows.clear();
        }
    }

    Store store() {
        return store;
    }

    /** Tests the key's lock without waiting. What a dead process held is noticed sooner or later. */
    boolean lock(Lookup lookup, SimulatedTransaction by) {
        var holder = locks.get(lookup);
        if (holder != null && holder.isOrphaned() && chance.oneIn(3)) {
            holder.abort();
        }
        return locks.computeIfAbsent(lookup, free -> by) == by;
    }

    void unlock(SimulatedTransaction by) {
        locks.values().removeIf(by::equals);
    }

    /** A row that an open transaction has written makes others wait, and they do not wait for long. */
    void requireNoRowLocked(List<Lookup> lookups) {
        for (var lookup : lookups) {
            var holder = Optional.ofNullable(locks.get(lookup)).filter(SimulatedTransaction::hasWritten);
            if (holder.isPresent()) {
                if (holder.get().isOrphaned() && chance.oneIn(3)) {
                    holder.get().abort();
                } else {
                    throw RowRejectedException.locked(
                            "A transaction has it.", new IllegalStateException("lock timeout"));
                }
            }
        }
    }

    /** Claim, bookings and outcome become visible in one step. */
    void commit(String process, ClaimRequest request, Write.Complete completion, Bookings bookings) {
        var before = eyes.before(process, request.identity());
        var claimed = before.filter(
                seen -> seen.record().id().equals(completion.claim().id()));
        if (completion.claim().fence() > 1 && claimed.isEmpty()) {
            // Its retention was over while the transaction was open: this database forgets it all the same.
            throw StoreException.unavailable("The row is gone.", StoreException.Effect.NONE, null);
        }
        store.claim(List.of(request));
        store.write(List.of(completion));
        bookings.rows.forEach(run -> law.judge(new Happening.Booked(run)));
        eyes.after(process, request.identity(), before, new Deed.Committed(request));
    }
}
