package dev.refrain.saga;

import dev.refrain.api.Downstream;
import dev.refrain.api.Retention;
import dev.refrain.flow.Flow;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.PhaseRetryPolicy;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Steps over several systems, each with a compensation. If a step fails, the steps before it are compensated in reverse order.
 *
 * {@snippet :
 * Saga<OrderRequest, Connection> place = Saga.of("order.place", OrderRequest.class)
 *         .step("reserve", (tx, at) -> stock.reserve(tx, at.request(), at.key()), (tx, at) -> stock.release(tx, at.stepKey()))
 *         .foreignCall("charge", Downstream.honoursKeys(Duration.ofHours(24)),
 *                 call -> bank.charge(call.request().amount(), call.key()),
 *                 call -> bank.refund(call.stepKey(), call.key()))
 *         .foreignCall("ship", Downstream.queryable(call -> carrier.find(call.key())),
 *                 call -> carrier.ship(call.request().article(), call.key()))
 *         .build();
 * }
 *
 * <p>A step that throws {@link StepFailedException} did not happen. After any other exception it is retried, a call as its {@link
 * Downstream} allows; if it still fails, a call may have happened, and is compensated with the others.
 *
 * <p>A compensation may run more than once, under the same {@link SagaStepContext#key}. A compensation of a call must also work if the call
 * never happened or arrives later: see {@link CompensationContext}.
 *
 * <p>Run it with a {@link SagaRunner}. Immutable; safe for use by many threads.
 *
 * @param <R> the request
 * @param <C> the connection that a step is given
 */
public final class Saga<R, C> {

    /** Step with writes of the application, in one transaction. It commits once, but may run more often. It must not call other systems. */
    @FunctionalInterface
    public interface StepWork<R, C> {
        /**
         * Runs the step.
         *
         * @return the result that later steps and compensations need, stored by the codec; null if there is none
         */
        @Nullable
        Object run(C tx, SagaStepContext<R> at) throws Exception;
    }

    /** Compensates a step, in one transaction. */
    @FunctionalInterface
    public interface Compensation<R, C> {
        void run(C tx, CompensationContext<R> at) throws Exception;
    }

    /** Sends a call to another system, with the step's key. */
    @FunctionalInterface
    public interface StepCallSender<R, A> {
        A send(SagaStepContext<R> call) throws Exception;
    }

    /** Compensates a call with another call, which has a key of its own and is retried under it. */
    @FunctionalInterface
    public interface CallCompensation<R> {
        void send(CompensationContext<R> call) throws Exception;
    }

    /** Enqueues a job, in one transaction, under the step's key. It must add nothing if the queue has the key already. */
    @FunctionalInterface
    public interface JobEnqueuer<R, C> {
        void run(C tx, SagaStepContext<R> at) throws Exception;
    }

    /** Looks up the result of the step's job. */
    @FunctionalInterface
    public interface JobLookup<R, C> {
        /**
         * Returns the result of the job, or nothing if it is not done yet.
         *
         * @throws StepFailedException if the job did not happen and never will
         * @throws StepOutcomeUnknownException if the job failed and may have happened
         * @throws Exception if the state of the job cannot be read now; it is looked up again later
         */
        Optional<?> run(C tx, SagaStepContext<R> at) throws Exception;
    }

    private final Builder<R, C> made;
    private final List<SagaStep<R, C>> steps;
    private final Flow<R, byte[], C> asFlow;

    private Saga(Builder<R, C> builder) {
        made = builder.copy();
        steps = List.copyOf(made.steps);
        asFlow = SagaFlowBuilder.of(this);
    }

    /** Declares a saga whose steps use JDBC connections. */
    public static <R> Builder<R, Connection> of(String name, Class<R> type) {
        return of(name, type, Connection.class);
    }

    /** Declares a saga whose steps use the connections of another kind of store. */
    public static <R, C> Builder<R, C> of(String name, Class<R> type, Class<C> connection) {
        return new Builder<>(name, type, connection);
    }

    /** Returns the name, under which the saga is stored and reported. */
    public String name() {
        return made.name;
    }

    /** Returns the namespace of its ids. */
    public String namespace() {
        return asFlow.namespace();
    }

    /** Returns the version of its steps. */
    public int version() {
        return made.version;
    }

    /** Returns how long the saga may take before it is reported as overdue. */
    public Duration overdueAfter() {
        return made.overdueAfter;
    }

    /** Returns the flow that the saga consists of, for a completer. */
    public Flow<R, byte[], C> asFlow() {
        return asFlow;
    }

    Class<R> type() {
        return made.type;
    }

    Class<C> connection() {
        return made.connection;
    }

    List<SagaStep<R, C>> steps() {
        return steps;
    }

    List<Saga<R, C>> older() {
        return made.older;
    }

    PhaseRetryPolicy retries() {
        return made.retries.noRetryOn(this::isPermanent);
    }

    PhaseRetryPolicy compensationRetries() {
        return made.compensationRetries.noRetryOn(this::isPermanent);
    }

    /** Returns how long the result is kept. */
    public Retention outcomeRetention() {
        return made.outcomeRetention;
    }

    boolean isPermanent(Exception thrown) {
        return thrown instanceof StepFailedException || made.permanentFailures.test(thrown);
    }

    /** Declares the steps of a saga, one after the other. */
    public static final class Builder<R, C> {

        private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
        private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

        private final String name;
        private final Class<R> type;
        private final Class<C> connection;
        private final List<SagaStep<R, C>> steps = new ArrayList<>();
        private final List<Saga<R, C>> older = new ArrayList<>();
        private int version = 1;
        private Duration callTimeout = CALL_TIMEOUT;
        private PhaseRetryPolicy retries = PhaseRetryPolicy.of(5, Duration.ofMillis(200));
        private PhaseRetryPolicy compensationRetries = PhaseRetryPolicy.of(8, Duration.ofMillis(100));
        private Predicate<Exception> permanentFailures = thrown -> false;
        private Retention outcomeRetention = Retention.FOREVER;
        private Duration overdueAfter = Duration.ofMinutes(5);

        private Builder(String name, Class<R> type, Class<C> connection) {
            this.name = name;
            this.type = type;
            this.connection = connection;
        }

        private Builder<R, C> copy() {
            var copy = new Builder<R, C>(name, type, connection);
            copy.steps.addAll(steps);
            copy.older.addAll(older);
            copy.version = version;
            copy.retries = retries;
            copy.compensationRetries = compensationRetries;
            copy.permanentFailures = permanentFailures;
            copy.outcomeRetention = outcomeRetention;
            copy.overdueAfter = overdueAfter;
            return copy;
        }

        /** Adds a transaction, and the transaction that compensates it. */
        public Builder<R, C> step(String step, StepWork<R, C> work, Compensation<R, C> compensation) {
            return add(
                    new SagaStep.Local<>(step, work, Optional.of(new SagaStep.StepCompensation.Local<>(compensation))));
        }

        /** Adds a transaction that needs no compensation. */
        public Builder<R, C> step(String step, StepWork<R, C> work) {
            return add(new SagaStep.Local<>(step, work, Optional.empty()));
        }

        /** Adds a call of another system, and the call that compensates it. */
        public <A> Builder<R, C> foreignCall(
                String step,
                Downstream<ForeignCall<R>, A> downstream,
                StepCallSender<R, A> send,
                CallCompensation<R> compensation) {
            return add(new SagaStep.Foreign<>(
                    step,
                    downstream,
                    callTimeout,
                    send,
                    Optional.of(new SagaStep.StepCompensation.Foreign<>(callTimeout, compensation))));
        }

        /** Adds a call of another system that needs no compensation, not even if it may have happened. */
        public <A> Builder<R, C> foreignCall(
                String step, Downstream<ForeignCall<R>, A> downstream, StepCallSender<R, A> send) {
            return add(new SagaStep.Foreign<>(step, downstream, callTimeout, send, Optional.empty()));
        }

        /**
         * Adds a job of any queue, which is enqueued under the step's key and looked up until it has a result. Meanwhile the saga waits; a
         * completer continues it.
         */
        public Builder<R, C> job(
                String step, JobEnqueuer<R, C> enqueue, JobLookup<R, C> lookup, Compensation<R, C> compensation) {
            return addJob(
                    step,
                    enqueue,
                    SagaStep.JobEndLookup.of(lookup),
                    SagaStep.JobAbandonment.leftToCompensation(),
                    compensation);
        }

        private Builder<R, C> addJob(
                String step,
                JobEnqueuer<R, C> enqueue,
                SagaStep.JobEndLookup<R, C> lookup,
                SagaStep.JobAbandonment<R, C> abandonment,
                Compensation<R, C> compensation) {
            return add(new SagaStep.Job<>(
                    step,
                    enqueue,
                    POLL_INTERVAL,
                    lookup,
                    abandonment,
                    Optional.of(new SagaStep.StepCompensation.Local<>(compensation))));
        }

        /**
         * Adds a keyed job, whose key is the step's key. A job without result has the result {@code true} here. A job that is a dead letter has
         * failed: the saga is compensated, and the job does not run any more, even if its dead letter is resent.
         */
        public <P, A> Builder<R, C> job(
                String step,
                KeyedJobQueue<C> jobs,
                KeyedJob<P, A, C> job,
                Function<SagaStepContext<R>, P> payload,
                Compensation<R, C> compensation) {
            var keyed = new KeyedJobStep<>(jobs, job, payload);
            return addJob(step, keyed::enqueue, keyed::lookup, keyed, compensation);
        }

        /** Sets the timeout of the calls declared after this, compensations included; 30 s by default. */
        public Builder<R, C> callTimeout(Duration time) {
            callTimeout = time;
            return this;
        }

        /** Sets the attempts of a step before the saga is compensated; 5 within 3 s by default. */
        public Builder<R, C> retries(int times, Duration pause) {
            retries = PhaseRetryPolicy.of(times, pause);
            return this;
        }

        /** Sets the attempts of a compensation before it waits for a person; 8 within about 13 s by default. */
        public Builder<R, C> compensationRetries(int times, Duration pause) {
            compensationRetries = PhaseRetryPolicy.of(times, pause);
            return this;
        }

        /** Sets which exceptions mean the same as {@link StepFailedException}: the step did not happen and never will. */
        public Builder<R, C> permanentFailures(Predicate<Exception> permanent) {
            permanentFailures = permanent;
            return this;
        }

        /** Sets how long the result is kept; for ever by default. After that the same id is a new saga. */
        public Builder<R, C> outcomeRetention(Retention retention) {
            outcomeRetention = retention;
            return this;
        }

        /** Sets how long the saga may take before it is reported as overdue; 5 min by default. */
        public Builder<R, C> overdueAfter(Duration time) {
            overdueAfter = time;
            return this;
        }

        /** Sets the version, 1 by default. Raise it when steps are added, removed or change their meaning. */
        public Builder<R, C> version(int number) {
            version = number;
            return this;
        }

        /** Has sagas that an older version began finished by it. Without it they need attention. */
        public Builder<R, C> olderVersion(Saga<R, C> olderOne) {
            older.add(olderOne);
            return this;
        }

        /**
         * Builds the saga.
         *
         * @throws IllegalArgumentException if there is no step
         */
        public Saga<R, C> build() {
            if (steps.isEmpty()) {
                throw new IllegalArgumentException("Cannot build saga " + name + ": it has no step.");
            }
            return new Saga<>(this);
        }

        private Builder<R, C> add(SagaStep<R, C> step) {
            if (!step.name().matches("[A-Za-z0-9_-]{1,80}")
                    || steps.stream().anyMatch(other -> other.name().equals(step.name()))) {
                throw new IllegalArgumentException("Invalid step name \"" + step.name() + "\" in saga " + name
                        + ": use 1 to 80 letters, digits, '_' or '-' that no other step has.");
            }
            steps.add(step);
            return this;
        }
    }
}
