package dev.refrain.saga;

import dev.refrain.api.Downstream;
import dev.refrain.flow.ForeignCall;
import java.time.Duration;
import java.util.Optional;

/** One step of a saga, and what undoes it. */
sealed interface SagaStep<R, C> {

    String name();

    Optional<StepCompensation<R, C>> compensation();

    /** Whether it may happen although it failed. */
    boolean canHaveUnknownOutcome();

    record Local<R, C>(String name, Saga.StepWork<R, C> work, Optional<StepCompensation<R, C>> compensation)
            implements SagaStep<R, C> {
        @Override
        public boolean canHaveUnknownOutcome() {
            return false;
        }
    }

    record Foreign<R, C, A>(
            String name,
            Downstream<ForeignCall<R>, A> downstream,
            Duration timeout,
            Saga.CallSender<R, A> send,
            Optional<StepCompensation<R, C>> compensation)
            implements SagaStep<R, C> {
        @Override
        public boolean canHaveUnknownOutcome() {
            return true;
        }
    }

    record Job<R, C>(
            String name,
            Saga.JobEnqueuer<R, C> enqueue,
            Duration pollInterval,
            Saga.JobLookup<R, C> lookup,
            Optional<StepCompensation<R, C>> compensation)
            implements SagaStep<R, C> {

        /** Where its end is waited for. */
        String resultPoint() {
            return name + ".result";
        }

        @Override
        public boolean canHaveUnknownOutcome() {
            return true;
        }
    }

    /** What undoes a step. */
    sealed interface StepCompensation<R, C> {
        record Local<R, C>(Saga.Compensation<R, C> work) implements StepCompensation<R, C> {}

        record Foreign<R, C>(Duration timeout, Saga.CallCompensation<R> work) implements StepCompensation<R, C> {}
    }
}
