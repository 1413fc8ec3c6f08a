package dev.refrain.trials.simulation.world;

import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Transaction of one phase: it holds the record's row from its last statement until its commit is carried out. */
final class SimulatedPhase extends LockHoldingTransaction implements PhaseTransaction<SimulatedDatabase.Bookings> {

    private @Nullable RecordWriteResponse answer;

    SimulatedPhase(SimulatedDatabase database, FaultyStoreLink line, SimulatedThreadGroup process) {
        super(database, line, process);
    }

    /** Failure of the later one of two concurrent transactions. */
    static final class LostRace extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Returns whether a failure was caused by a lost race. */
        static boolean caused(Throwable failure) {
            return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                    .anyMatch(LostRace.class::isInstance);
        }
    }

    @Override
    boolean hasWritten() {
        return true;
    }

    @Override
    public boolean isRetryableConflict(Throwable failure) {
        return LostRace.caused(failure);
    }

    @Override
    public RecordWriteResponse writeAndCommit(RecordWrite write) {
        line.statement("end of phase", () -> {
            if (!database.lock(write.claim().lookup(), this)) {
                throw RowRejectedException.locked("Another one has it.", new IllegalStateException("lock timeout"));
            }
            return write;
        });
        commit(() -> answer = database.commit(process(), write, bookings));
        return Objects.requireNonNull(answer);
    }

    @Override
    public String toString() {
        return "a phase";
    }
}
