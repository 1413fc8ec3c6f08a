package dev.refrain.saga;

import dev.refrain.api.Downstream;
import dev.refrain.api.Retention;
import dev.refrain.flow.Flow;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.PhaseRetryPolicy;
import dev.refrain.outbox.jobs.JobQueue;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Steps over several systems, each with what undoes it. If one fails, those before it are undone in reverse.
 *
 * {@snippet :
 * Saga<OrderRequest, Connection> place = Saga.of("order.place", OrderRequest.class)
 *         .step("reserve", (tx, at) -> stock.reserve(tx, at.request(), at.key()), (tx, at) -> stock.release(tx, at.stepKey()))
 *         .foreign("charge", Downstream.honoursKeys(Duration.ofHours(24)),
 *                 call -> bank.charge(call.request().amount(), call.key()),
 *                 call -> bank.refund(call.stepKey(), call.key()))
 *         .foreign("ship", Downstream.lookedUp(call -> carrier.find(call.key())),
 *                 call -> carrier.ship(call.request().article(), call.key()))
 *         .build();
 * }
 *
 * <p>A step that throws {@link StepFailedException} did not happen. One that throws anything else is tried again, a call as its
 * {@link Downstream} allows; if it still fails, a call may have happened, and is undone with the others.
 *
 * <p>A compensation must bear being run more than once, under the same {@link SagaStepContext#key}, and, for a call, that what it undoes never
 * happened or arrives later: see {@link CompensationContext}.
 *
 * <p>Immutable, for any number of threads.
 *
 * @param <R> what is asked
 * @param <C> how a step reaches the database
 */
public final class Saga<R, C> {

    /** Writes of our own, in one transaction. May run more than once and commits once. Must not call other systems. */
    @FunctionalInterface
    public interface StepWork<R, C> {
        /** @return what later steps and compensations need, if anything; stored by the codec */
        @Nullable
        Object run(C tx, SagaStepContext<R> at) throws Exception;
    }

    /** Takes back what a step did, in one transaction, like {@link StepWork}. */
    @FunctionalInterface
    public interface Compensation<R, C> {
        void run(C tx, CompensationContext<R> at) throws Exception;
    }

    /** Calls another system, under the call's key. */
    @FunctionalInterface
    public interface CallSender<R, A> {
        A send(SagaStepContext<R> call) throws Exception;
    }

    /** Takes back what a call did, under a key of its own. Sent again, under the same key, until it succeeds. */
    @FunctionalInterface
    public interface CallCompensation<R> {
        void send(CompensationContext<R> call) throws Exception;
    }

    /** Puts a job into a queue, in one transaction, under the step's key: a queue that knows the key already adds nothing. */
    @FunctionalInterface
    public interface JobEnqueuer<R, C> {
        void run(C tx, SagaStepContext<R> at) throws Exception;
    }

    /** Asks for the result of the step's job. */
    @FunctionalInterface
    public interface JobLookup<R, C> {
        /**
         * Empty if it is not done yet. {@link StepFailedException} if it did not happen and never will, {@link StepOutcomeUnknownException} if it
         * failed and may have happened; what else is thrown is no answer.
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

    public static <R> Builder<R, Connection> of(String name, Class<R> type) {
        return of(name, type, Connection.class);
    }

    /** With whatever a store's transactions give to a step. */
    public static <R, C> Builder<R, C> of(String name, Class<R> type, Class<C> connection) {
        return new Builder<>(name, type, connection);
    }

    public String name() {
        return made.name;
    }

    public int version() {
        return made.version;
    }

    /** How long it may take before it is reported. */
    public Duration overdueAfter() {
        return made.overdueAfter;
    }

    /** What it is at bottom: for a completer that finishes flows and sagas. */
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
        return made.retries.noRetryOn(this::isForGood);
    }

    PhaseRetryPolicy compensationRetries() {
        return made.compensationRetries.noRetryOn(this::isForGood);
    }

    /** How long a result is kept; for ever unless said otherwise. */
    public Retention outcomeRetention() {
        return made.outcomeRetention;
    }

    boolean isForGood(Exception thrown) {
        return thrown instanceof StepFailedException || made.permanentFailures.test(thrown);
    }

    /** Says what a saga is, one step after the other. */
    public static final class Builder<R, C> {

        private static final Duration WITHIN = Duration.ofSeconds(30);
        private static final Duration POLLED = Duration.ofSeconds(5);

        private final String name;
        private final Class<R> type;
        private final Class<C> connection;
        private final List<SagaStep<R, C>> steps = new ArrayList<>();
        private final List<Saga<R, C>> older = new ArrayList<>();
        private int version = 1;
        private Duration callTimeout = WITHIN;
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

        /** A transaction, and the one that undoes it. */
        public Builder<R, C> step(String step, StepWork<R, C> does, Compensation<R, C> undo) {
            return add(new SagaStep.Local<>(step, does, Optional.of(new SagaStep.StepCompensation.Local<>(undo))));
        }

        /** A transaction of which nothing needs to be undone. */
        public Builder<R, C> step(String step, StepWork<R, C> does) {
            return add(new SagaStep.Local<>(step, does, Optional.empty()));
        }

        /** A call of another system, and the call that undoes it. */
        public <A> Builder<R, C> foreignCall(
                String step,
                Downstream<ForeignCall<R>, A> downstream,
                CallSender<R, A> send,
                CallCompensation<R> undo) {
            return add(new SagaStep.Foreign<>(
                    step,
                    downstream,
                    callTimeout,
                    send,
                    Optional.of(new SagaStep.StepCompensation.Foreign<>(callTimeout, undo))));
        }

        /** A call of another system of which nothing needs to be undone, not even if it is not known whether it happened. */
        public <A> Builder<R, C> foreignCall(
                String step, Downstream<ForeignCall<R>, A> downstream, CallSender<R, A> send) {
            return add(new SagaStep.Foreign<>(step, downstream, callTimeout, send, Optional.empty()));
        }

        /**
         * A job of some queue: put there under the step's key, then asked for until it has a result. Meanwhile the saga is put off, so it
         * needs a completer to go on.
         */
        public Builder<R, C> job(String step, JobEnqueuer<R, C> enqueue, JobLookup<R, C> ask, Compensation<R, C> undo) {
            return add(new SagaStep.Job<>(
                    step, enqueue, POLLED, ask, Optional.of(new SagaStep.StepCompensation.Local<>(undo))));
        }

        /** The same for a job that runs once for its key: the step's key is the job's. A job that gives nothing gives {@code true} here. */
        public <P, A> Builder<R, C> job(
                String step,
                JobQueue<C> jobs,
                KeyedJob<P, A, C> job,
                Function<SagaStepContext<R>, P> payload,
                Compensation<R, C> undo) {
            return job(
                    step,
                    (tx, at) -> jobs.enqueue(tx, job, at.scope(), at.key(), payload.apply(at)),
                    (tx, at) -> ended(jobs.result(job, at.scope(), at.key())),
                    undo);
        }

        private static Optional<?> ended(JobResult<?> result) {
            return switch (result) {
                case JobResult.Done<?> done -> Optional.of(done.value() == null ? true : done.value());
                case JobResult.Failed<?> failed ->
                    throw failed.mayHaveHappened()
                            ? new StepOutcomeUnknownException(failed.message())
                            : new StepFailedException(failed.message());
                default -> Optional.empty();
            };
        }

        /** How long each call that is declared from here on may take, compensations included; half a minute unless said otherwise. */
        public Builder<R, C> callTimeout(Duration time) {
            callTimeout = time;
            return this;
        }

        /** How often a step is tried before the saga is undone; five times within three seconds unless said otherwise. */
        public Builder<R, C> retries(int times, Duration pause) {
            retries = PhaseRetryPolicy.of(times, pause);
            return this;
        }

        /** How often a compensation is tried before it waits for a person; eight times within some 13 seconds unless said otherwise. */
        public Builder<R, C> compensationRetries(int times, Duration pause) {
            compensationRetries = PhaseRetryPolicy.of(times, pause);
            return this;
        }

        /** What a step throws that says as much as {@link StepFailedException}: it did not happen and never will. */
        public Builder<R, C> permanentFailures(Predicate<Exception> forGood) {
            permanentFailures = forGood;
            return this;
        }

        /** How long it is known how it ended; for ever unless said otherwise. After that the same id is a new saga. */
        public Builder<R, C> outcomeRetention(Retention retention) {
            outcomeRetention = retention;
            return this;
        }

        /** How long it may take before it is reported; five minutes unless said otherwise. */
        public Builder<R, C> overdueAfter(Duration time) {
            overdueAfter = time;
            return this;
        }

        /** 1 unless said otherwise; to be raised when steps are added, removed or mean something else. */
        public Builder<R, C> version(int number) {
            version = number;
            return this;
        }

        /** What is in flight from that version is finished by it. Without it, it waits for a decision. */
        public Builder<R, C> olderVersion(Saga<R, C> olderOne) {
            older.add(olderOne);
            return this;
        }

        /** @throws IllegalArgumentException if there is no step, or one cannot be named so; the message says which */
        public Saga<R, C> build() {
            if (steps.isEmpty()) {
                throw new IllegalArgumentException("The saga " + name + " has no step.");
            }
            return new Saga<>(this);
        }

        private Builder<R, C> add(SagaStep<R, C> step) {
            if (!step.name().matches("[A-Za-z0-9_-]{1,80}")
                    || steps.stream().anyMatch(other -> other.name().equals(step.name()))) {
                throw new IllegalArgumentException("A step of " + name
                        + " is named by 1 to 80 letters, digits, '_' or '-' that no other step has, not \""
                        + step.name()
                        + "\".");
            }
            steps.add(step);
            return this;
        }
    }
}
