package dev.refrain.flow.saga;

import dev.refrain.flow.Downstream;
import java.time.Duration;
import java.util.Optional;

/** One step of a saga, and what undoes it. */
sealed interface SagaStep<R, C> {

    String name();

    Optional<Undo<R, C>> undo();

    /** Whether it may happen although it failed. */
    boolean canHaveUnknownOutcome();

    record Local<R, C>(String name, Saga.Do<R, C> does, Optional<Undo<R, C>> undo) implements SagaStep<R, C> {
        @Override
        public boolean canHaveUnknownOutcome() {
            return false;
        }
    }

    record Foreign<R, C, A>(
            String name, Downstream<R, A> downstream, Duration within, Saga.Send<R, A> send, Optional<Undo<R, C>> undo)
            implements SagaStep<R, C> {
        @Override
        public boolean canHaveUnknownOutcome() {
            return true;
        }
    }

    record Job<R, C>(
            String name, Saga.Enqueue<R, C> enqueue, Duration every, Saga.Ask<R, C> ask, Optional<Undo<R, C>> undo)
            implements SagaStep<R, C> {

        /** Where its end is waited for. */
        String waiting() {
            return name + ".result";
        }

        @Override
        public boolean canHaveUnknownOutcome() {
            return true;
        }
    }

    /** What undoes a step. */
    sealed interface Undo<R, C> {
        record Local<R, C>(Saga.Undo<R, C> undo) implements Undo<R, C> {}

        record Foreign<R, C>(Duration within, Saga.SendUndo<R> undo) implements Undo<R, C> {}
    }
}
