package dev.refrain.saga;

import dev.refrain.api.ClientKey;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.outbox.jobs.KeyedJob;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import java.util.function.Function;

/** Step that enqueues a keyed job, looks up its end, and gives it up with the saga. */
record KeyedJobStep<R, P, C>(KeyedJobQueue<C> queue, KeyedJob<P, ?, C> job, Function<SagaStepContext<R>, P> payload)
        implements SagaStep.JobAbandonment<R, C> {

    void enqueue(C tx, SagaStepContext<R> at) {
        queue(at).enqueue(tx, job, keyOf(at), payload.apply(at));
    }

    SagaStep.JobEnd lookup(C tx, SagaStepContext<R> at) {
        return ended(queue(at).resultOrGiveUp(tx, job, keyOf(at)));
    }

    @Override
    public void resolveUnknown(ClientKey stepKey, String who, String why) {
        queue.resolveAsFailed(job, stepKey, who, why);
    }

    @Override
    public SagaStep.JobEnd giveUp(C tx, SagaStepContext<R> at, String why) {
        return ended(queue(at).giveUp(tx, job, keyOf(at), payload.apply(at), why));
    }

    private static ClientKey keyOf(SagaStepContext<?> at) {
        return ClientKey.scope(at.scope()).key(at.key());
    }

    private KeyedJobQueue<C> queue(SagaStepContext<R> at) {
        return at.subject().map(queue::about).orElse(queue);
    }

    private static SagaStep.JobEnd ended(JobResult<?> result) {
        return switch (result) {
            case JobResult.Done<?> done -> new SagaStep.JobEnd.Done(done.value() == null ? true : done.value());
            case JobResult.Dead<?> dead -> new SagaStep.JobEnd.GivenUp(dead.message(), dead.mayHaveHappened());
            case JobResult.Failed<?> failed -> new SagaStep.JobEnd.GivenUp(failed.message(), failed.mayHaveHappened());
            case JobResult.Running<?> running -> SagaStep.JobEnd.Pending.INSTANCE;
            case JobResult.Unknown<?> unknown -> SagaStep.JobEnd.Pending.INSTANCE;
            case JobResult.NotStarted<?> waiting -> SagaStep.JobEnd.Pending.INSTANCE;
        };
    }
}
