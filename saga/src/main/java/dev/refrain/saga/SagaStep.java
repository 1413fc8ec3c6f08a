package dev.refrain.saga;

import dev.refrain.api.Downstream;
import dev.refrain.flow.ForeignCall;
import java.time.Duration;
import java.util.Optional;

/** One step of a saga, and what undoes it. */
sealed interface SagaStep<R, C> {

    String name();

    Optional<StepCompensation<R, C>> undo();

    /** Whether it may happen although it failed. */
    boolean canHaveUnknownOutcome();

    record Local<R, C>(String name, Saga.StepWork<R, C> does, Optional<StepCompensation<R, C>> undo)
            implements SagaStep<R, C> {
        @Override
        public boolean canHaveUnknownOutcome() {
            return false;
        }
    }

    record Foreign<R, C, A>(
            String name,
            Downstream<ForeignCall<R>, A> downstream,
            Duration within,
            Saga.CallSender<R, A> send,
            Optional<StepCompensation<R, C>> undo)
            implements SagaStep<R, C> {
        @Override
        public boolean canHaveUnknownOutcome() {
            return true;
        }
    }

    record Job<R, C>(
            String name,
            Saga.JobEnqueuer<R, C> enqueue,
            Duration every,
            Saga.JobLookup<R, C> ask,
            Optional<StepCompensation<R, C>> undo)
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
    sealed interface StepCompensation<R, C> {
        record Local<R, C>(Saga.Compensation<R, C> undo) implements StepCompensation<R, C> {}

        record Foreign<R, C>(Duration within, Saga.CallCompensation<R> undo) implements StepCompensation<R, C> {}
    }
}
