package dev.refrain.saga;

import dev.refrain.api.ClientKey;
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
            Saga.StepCallSender<R, A> send,
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
            JobEndLookup<R, C> lookup,
            JobAbandonment<R, C> abandonment,
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

    /** Looks up how a job ended. */
    @FunctionalInterface
    interface JobEndLookup<R, C> {
        JobEnd run(C tx, SagaStepContext<R> at) throws Exception;

        /** Returns the lookup of an application, which says by exceptions that a job failed. */
        static <R, C> JobEndLookup<R, C> of(Saga.JobLookup<R, C> lookup) {
            return (tx, at) -> lookup.run(tx, at).<JobEnd>map(JobEnd.Done::new).orElse(JobEnd.Pending.INSTANCE);
        }
    }

    /** Gives up the job of a step that a person no longer wants to wait for. */
    interface JobAbandonment<R, C> {

        /** Resolves the job's record as failed if it waits for a person. Called before the transaction of {@link #giveUp}. */
        void resolveUnknown(ClientKey stepKey, String who, String why);

        /** Gives up the job in the transaction that begins the compensation, unless it is running now. */
        JobEnd giveUp(C tx, SagaStepContext<R> at, String why);

        /** Leaves a job of an application's own queue to the step's compensation: whether it happened is not known. */
        static <R, C> JobAbandonment<R, C> leftToCompensation() {
            return new JobAbandonment<>() {
                @Override
                public void resolveUnknown(ClientKey stepKey, String who, String why) {}

                @Override
                public JobEnd giveUp(C tx, SagaStepContext<R> at, String why) {
                    return new JobEnd.GivenUp(why, true);
                }
            };
        }
    }

    /** End of a job, as its saga sees it. */
    sealed interface JobEnd {

        /** It has not ended. */
        enum Pending implements JobEnd {
            INSTANCE
        }

        record Done(Object result) implements JobEnd {}

        /** It was given up in the transaction of the lookup, which has to commit with the step's failure. */
        record GivenUp(String reason, boolean mayHaveHappened) implements JobEnd {}
    }

    /** Compensation of a step. */
    sealed interface StepCompensation<R, C> {
        record Local<R, C>(Saga.Compensation<R, C> work) implements StepCompensation<R, C> {}

        record Foreign<R, C>(Duration timeout, Saga.CallCompensation<R> work) implements StepCompensation<R, C> {}
    }
}
