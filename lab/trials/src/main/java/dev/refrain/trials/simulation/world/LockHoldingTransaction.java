package dev.refrain.trials.simulation.world;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWrite;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;

/** Open transaction: uncommitted writes, locks, and a commit that may be lost. */
abstract class LockHoldingTransaction {

    final SimulatedDatabase database;
    final FaultyStoreLink line;
    final SimulatedDatabase.Bookings bookings = new SimulatedDatabase.Bookings(this);
    private final SimulatedThreadGroup process;
    private boolean over;
    private boolean committing;
    private int inTheWay;

    LockHoldingTransaction(SimulatedDatabase database, FaultyStoreLink line, SimulatedThreadGroup process) {
        this.database = database;
        this.line = line;
        this.process = process;
    }

    /** Returns whether it has written rows that others wait for. */
    abstract boolean hasWritten();

    /** Completes a record together with everything else in this transaction. */
    void complete(ClaimRequest asked, RecordWrite.Complete by) {
        bookings.complete(asked, by);
    }

    /** Returns whether its process is dead, which the database has not noticed yet. */
    final boolean isOrphaned() {
        return process.isDead() && !over;
    }

    /** Counts how often its locks stood in the way of another transaction after the death of its process. */
    final int stoodInTheWay() {
        return ++inTheWay;
    }

    final String process() {
        return process.name();
    }

    public final SimulatedDatabase.Bookings connection() {
        return bookings;
    }

    /** @param written what the database does, unless it was aborted before */
    final void commit(Runnable written) {
        committing = true;
        line.commit(
                () -> {
                    if (!over) {
                        abort();
                        written.run();
                    }
                },
                this::abort);
    }

    public final void abort() {
        over = true;
        database.unlock(this);
    }

    public final void close() {
        // A commit under way is not taken back by closing what it was sent on: then its end comes from the database.
        if (!committing) {
            abort();
        }
    }
}
