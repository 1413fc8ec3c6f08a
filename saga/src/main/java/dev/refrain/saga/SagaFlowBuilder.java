package dev.refrain.saga;

import dev.refrain.api.Downstream;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.flow.Flow;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.PhaseContext;
import dev.refrain.flow.PhaseFailure;
import dev.refrain.flow.PhaseResult;
import dev.refrain.flow.PhaseRetryPolicy;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the flow of a saga: first a point for each step, then one for each compensation, in reverse, then one for each compensation that
 * failed, at which the flow waits for a person.
 */
final class SagaFlowBuilder<R, C> {

    static final int COMPLETED = 200;
    static final int COMPENSATED = 424;

    private static final Retention WHILE_IT_RUNS = Retention.of(Duration.ofDays(7));
    private static final String UNDO = "undo.";
    private static final String DEAD = "dead.";

    private final Saga<R, C> saga;
    private final List<SagaStep<R, C>> steps;

    private SagaFlowBuilder(Saga<R, C> saga) {
        this.saga = saga;
        this.steps = saga.steps();
    }

    static <R, C> Flow<R, byte[], C> of(Saga<R, C> saga) {
        return new SagaFlowBuilder<>(saga).flow();
    }

    static boolean isDead(String point) {
        return point.startsWith(DEAD);
    }

    static boolean isUndo(String point) {
        return point.startsWith(UNDO);
    }

    private Flow<R, byte[], C> flow() {
        var flow = Flow.of(saga.name(), saga.type(), byte[].class, saga.connection())
                .version(saga.version())
                .retention(WHILE_IT_RUNS)
                .outcomeRetention(saga.outcomeRetention());
        saga.older().forEach(older -> flow.olderVersion(older.asFlow()));
        for (int i = 0; i < steps.size(); i++) {
            declare(flow, i);
        }
        for (int i = steps.size() - 1; i >= 0; i--) {
            int here = i;
            if (hasCompensation(i)) {
                var leadsTo = points(UNDO, i - 1);
                leadsTo.addAll(points(DEAD, steps.size() - 1));
                declareUndo(flow, UNDO, here, leadsTo, state -> toCompensation(state, here - 1));
                flow.onFailure(
                        saga.compensationRetries(),
                        (tx, at, failed) -> toCompensation(
                                state(at).failedCompensations(name(here), StepFailure.reason(failed.cause())),
                                here - 1));
            }
        }
        for (int i = steps.size() - 1; i >= 0; i--) {
            int here = i;
            if (hasCompensation(i)) {
                declareUndo(flow, DEAD, here, points(DEAD, i - 1), state -> toFailedCompensation(state, here - 1));
                flow.onFailure(PhaseRetryPolicy.of(1, Duration.ZERO), (tx, at, failed) -> {
                    throw new EffectUnknownException(reason(state(at), name(here), failed.cause()), failed.cause());
                });
            }
        }
        return flow.build();
    }

    private void declare(Flow.Builder<R, byte[], C> flow, int i) {
        var step = steps.get(i);
        var leadsTo = points(UNDO, step.canHaveUnknownOutcome() ? i : i - 1);
        IntStream.range(i + 1, Math.min(i + 2, steps.size())).forEach(next -> leadsTo.add(name(next)));
        switch (step) {
            case SagaStep.Local<R, C> local ->
                flow.phase(
                                step.name(),
                                leadsTo,
                                (tx, at) -> stepDone(i, at, local.work().run(tx, doing(at, step))))
                        .onFailure(saga.retries(), (tx, at, failed) -> stepFailed(i, at, failed));
            case SagaStep.Foreign<R, C, ?> foreign -> declareCall(flow, i, leadsTo, foreign);
            case SagaStep.Job<R, C> job -> declareJob(flow, i, leadsTo, job);
        }
    }

    private <A> void declareCall(
            Flow.Builder<R, byte[], C> flow, int i, Set<String> leadsTo, SagaStep.Foreign<R, C, A> step) {
        flow.foreignCall(
                        step.name(),
                        leadsTo,
                        step.downstream(),
                        step.timeout(),
                        call -> step.send().send(doing(call, step)),
                        (tx, at, answer) -> stepDone(i, at, answer))
                .onFailure(saga.retries(), (tx, at, failed) -> stepFailed(i, at, failed));
    }

    /** Declares a job. A lookup that fails says nothing about the job: it is repeated in another run. */
    private void declareJob(Flow.Builder<R, byte[], C> flow, int i, Set<String> leadsTo, SagaStep.Job<R, C> job) {
        flow.phase(job.name(), with(points(UNDO, i - 1), job.resultPoint()), (tx, at) -> {
                    job.enqueue().run(tx, doing(at, job));
                    return PhaseResult.goTo(job.resultPoint(), state(at).encode());
                })
                .onFailure(saga.retries(), (tx, at, failed) -> stepFailed(i, at, failed));
        flow.phase(job.resultPoint(), leadsTo, (tx, at) -> {
                    return switch (job.lookup().run(tx, doing(at, job))) {
                        case SagaStep.JobEnd.Done done -> stepDone(i, at, done.result());
                        case SagaStep.JobEnd.GivenUp givenUp -> jobFailed(i, at, givenUp);
                        case SagaStep.JobEnd.Pending pending ->
                            PhaseResult.retryAfter(
                                    job.pollInterval(), "The job of step " + job.name() + " is not done yet.");
                    };
                })
                .onFailure(PhaseRetryPolicy.of(1, Duration.ZERO), (tx, at, failed) -> {
                    if (failed.cause() instanceof CompensationRequestedException requested) {
                        return giveUpJob(i, job, tx, at, StepFailure.reason(requested));
                    }
                    boolean unknown = failed.cause() instanceof StepOutcomeUnknownException;
                    if (unknown || saga.isPermanent(failed.cause())) {
                        return stepFailed(i, at, new PhaseFailure(failed.cause(), unknown));
                    }
                    throw failed.cause();
                });
    }

    private PhaseResult<byte[]> jobFailed(int i, PhaseContext<R> at, SagaStep.JobEnd.GivenUp job) {
        return toCompensation(state(at).failed(new StepFailure(name(i), job.reason(), job.mayHaveHappened())), i);
    }

    /** Gives up a job because a person has the saga compensated, in the same transaction. A job that is done by now is compensated too. */
    private PhaseResult<byte[]> giveUpJob(int i, SagaStep.Job<R, C> job, C tx, PhaseContext<R> at, String why) {
        return switch (job.abandonment().giveUp(tx, doing(at, job), why)) {
            case SagaStep.JobEnd.Done done ->
                toCompensation(
                        state(at)
                                .done(name(i), encoded(at, done.result()))
                                .failed(new StepFailure(name(i), why, false)),
                        i);
            case SagaStep.JobEnd.GivenUp givenUp -> jobFailed(i, at, givenUp);
            case SagaStep.JobEnd.Pending pending ->
                PhaseResult.retryAfter(
                        job.pollInterval(), "The job of step " + job.name() + " is running now; wait for its end.");
        };
    }

    /** Next point after a compensation. */
    @FunctionalInterface
    private interface NextAfterCompensation {
        PhaseResult<byte[]> from(SagaState state);
    }

    private void declareUndo(
            Flow.Builder<R, byte[], C> flow, String pass, int i, Set<String> leadsTo, NextAfterCompensation onward) {
        String step = name(i);
        switch (steps.get(i).compensation().orElseThrow()) {
            case SagaStep.StepCompensation.Local<R, C> local ->
                flow.phase(pass + step, leadsTo, (tx, at) -> {
                    local.work().run(tx, toCompensation(at, step));
                    return onward.from(state(at).compensated(step));
                });
            case SagaStep.StepCompensation.Foreign<R, C> foreign ->
                flow.foreignCall(
                        pass + step,
                        leadsTo,
                        Downstream.<ForeignCall<R>, Boolean>honoursKeysForEver(),
                        foreign.timeout(),
                        call -> {
                            foreign.work().send(toCompensation(call, step));
                            return true;
                        },
                        (tx, at, sent) -> onward.from(state(at).compensated(step)));
        }
    }

    private PhaseResult<byte[]> stepDone(int i, PhaseContext<R> at, @Nullable Object result) {
        var state = state(at).done(name(i), encoded(at, result));
        return i + 1 < steps.size()
                ? PhaseResult.goTo(name(i + 1), state.encode())
                : PhaseResult.finish(COMPLETED, state.encode());
    }

    private Payload encoded(PhaseContext<R> at, @Nullable Object result) {
        return Payload.of(result == null ? new byte[0] : at.codec().encode(result));
    }

    private PhaseResult<byte[]> stepFailed(int i, PhaseContext<R> at, PhaseFailure failed) {
        var failure = StepFailure.of(name(i), failed.cause(), failed.mayHaveTakenEffect());
        return toCompensation(state(at).failed(failure), i);
    }

    /** Goes to the compensation of the last step, of this one and those before it, that may have happened. */
    private PhaseResult<byte[]> toCompensation(SagaState state, int from) {
        for (int i = from; i >= 0; i--) {
            if (hasCompensation(i) && state.mayHaveHappened(name(i))) {
                return PhaseResult.goTo(UNDO + name(i), state.encode());
            }
        }
        return toFailedCompensation(state, steps.size() - 1);
    }

    private PhaseResult<byte[]> toFailedCompensation(SagaState state, int from) {
        for (int i = from; i >= 0; i--) {
            if (state.failedCompensations().containsKey(name(i))) {
                return PhaseResult.goTo(DEAD + name(i), state.encode());
            }
        }
        return PhaseResult.fail(COMPENSATED, state.encode());
    }

    /** Says where it stands and the kind of the last error. Messages of exceptions may quote a request: they stay in the carried state. */
    private String reason(SagaState state, String step, Exception last) {
        return "Saga " + saga.name()
                + state.failure()
                        .map(failure -> " failed at step " + failure.step())
                        .orElse("")
                + " and could not be compensated: "
                + state.failedCompensations().keySet()
                + "; the last attempt, of " + step + ", threw "
                + last.getClass().getName()
                + ". SagaRunner.stuck and the console show why. Retry the compensations, or abandon them.";
    }

    /** Returns whether a step may be compensated: the last one only if it may have happened although it failed. */
    private boolean hasCompensation(int i) {
        return steps.get(i).compensation().isPresent()
                && (i + 1 < steps.size() || steps.get(i).canHaveUnknownOutcome());
    }

    private Set<String> points(String pass, int upTo) {
        var points = new LinkedHashSet<String>();
        for (int i = 0; i <= upTo; i++) {
            if (hasCompensation(i)) {
                points.add(pass + name(i));
            }
        }
        return points;
    }

    private static Set<String> with(Set<String> points, String another) {
        points.add(another);
        return points;
    }

    private SagaStepContext<R> doing(PhaseContext<R> at, SagaStep<R, C> step) {
        return new SagaStepContext<>(at, at.recordId().keyFor(step.name()), state(at));
    }

    /** Returns the context of a compensation, with the same key in every pass. */
    private CompensationContext<R> toCompensation(PhaseContext<R> at, String step) {
        return new CompensationContext<>(at, step, at.recordId().keyFor(UNDO + step), state(at));
    }

    private SagaState state(PhaseContext<R> at) {
        return at.point().equals(name(0)) ? SagaState.BEGUN : SagaState.decode(at.carriedValue(byte[].class));
    }

    private String name(int i) {
        return steps.get(i).name();
    }
}
