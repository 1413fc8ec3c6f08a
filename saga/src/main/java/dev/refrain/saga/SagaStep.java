package dev.refrain.saga;

import dev.refrain.api.Downstream;
import dev.refrain.flow.ForeignCall;
import java.time.Duration;
import java.util.Optional;

/** Step of a saga, with its compensation. */
sealed interface SagaStep<R, C> {

    String name();

    Optional<StepCompensation<R, C>> compensation();

    /** Returns whether the step may have happened although it failed. */
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

        /** Returns the point at which its result is waited for. */
        String resultPoint() {
            return name + ".result";
        }

        @Override
        public boolean canHaveUnknownOutcome() {
            return true;
        }
    }

    /** Compensation of a step. */
    sealed interface StepCompensation<R, C> {
        record Local<R, C>(Saga.Compensation<R, C> work) implements StepCompensation<R, C> {}

        record Foreign<R, C>(Duration timeout, Saga.CallCompensation<R> work) implements StepCompensation<R, C> {}
    }
}
