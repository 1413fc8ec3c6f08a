package dev.refrain.outbox.jobs;

import dev.refrain.KeyRules;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.Downstream;
import dev.refrain.api.InProgressException;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.StoredFailure;
import dev.refrain.outbox.DeliveryRefusedException;
import dev.refrain.outbox.MessageDelivery;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;

/**
 * Enqueues jobs, runs each once for its key, and knows what they gave.
 *
 * {@snippet :
 * var jobs = JobQueue.on(refrain, store.transactions(), store.outbox());
 * var relay = jobs.relayedBy(Relay.on(store.outbox()), invoice).start();
 *
 * jobs.enqueue(connection, invoice, tenant, "order-7", order);     // twice or more: it runs once
 * JobResult<Invoice> result = jobs.result(invoice, tenant, "order-7");
 * }
 *
 * <p>That a job is done is kept in a record of its own, like any operation's: it stays deduplicated for its retention, whatever becomes of
 * the queue. Immutable, for any number of threads.
 *
 * @param <C> how a transaction is reached
 */
public final class JobQueue<C> {

    private static final Duration DECISION_PENDING = Duration.ofMinutes(1);
    private static final int NOTHING = 204;

    private final Refrain refrain;
    private final StoreTransactionFactory<C> transactions;
    private final Outbox<C> outbox;

    private JobQueue(Refrain refrain, StoreTransactionFactory<C> transactions, Outbox<C> outbox) {
        this.refrain = refrain;
        this.transactions = transactions;
        this.outbox = outbox;
    }

    /** Returns a queue whose jobs are staged in an outbox and run in these transactions. */
    public static <C> JobQueue<C> on(Refrain refrain, StoreTransactionFactory<C> transactions, OutboxStore<C> outbox) {
        return new JobQueue<>(refrain, transactions, Outbox.on(refrain, outbox));
    }

    /**
     * Enqueues it in the caller's transaction: it runs if that commits, and if no job of its name ran or runs under the key. The same key
     * with another payload is a mistake of the caller's, and ends among the dead letters.
     */
    public <P> void enqueue(C tx, KeyedJob<P, ?, C> job, String scope, String key, P payload) {
        var checked = new ScopedKey(scope, job.name(), KeyRules.DEFAULT.check(key));
        outbox.stage(
                tx,
                topic(job),
                EnqueuedJob.of(checked.scope(), checked.key(), refrain.codec().encode(payload)));
    }

    /** Makes the relay run the job, with the defaults of {@link TopicSettings#of}. */
    public <P, R> Relay.Builder<C> registerOn(Relay.Builder<C> relay, KeyedJob<P, R, C> job) {
        return registerOn(relay, job, TopicSettings.of(topic(job)));
    }

    /** @param topic as {@link #topic} names it, delivered as it says */
    public <P, R> Relay.Builder<C> registerOn(Relay.Builder<C> relay, KeyedJob<P, R, C> job, TopicSettings topic) {
        if (!topic.name().equals(topic(job))) {
            throw new IllegalArgumentException(
                    "The job " + job.name() + " is enqueued as " + topic(job) + ", not as " + topic.name() + ".");
        }
        return switch (job.work()) {
            case KeyedJob.TransactionalBody<P, R, C> local ->
                relay.handle(topic, (tx, delivery) -> {
                    var enqueued = EnqueuedJob.read(delivery.body());
                    mapToDelivery(() -> operation(job)
                            .transactional(transactions)
                            .runInTransaction(
                                    tx,
                                    call(job, enqueued),
                                    (claim, same) -> local.work().run(same, payload(job, enqueued))));
                });
            // Sending it again is harmless: what runs is kept by its own record.
            case KeyedJob.LeasedBody<P, R, C> leased ->
                relay.sendTo(topic, Downstream.<MessageDelivery, Object>honoursKeysForEver(), delivery -> {
                    var enqueued = EnqueuedJob.read(delivery.body());
                    mapToDelivery(() -> run(job, enqueued.scope(), enqueued.key(), payload(job, enqueued)));
                });
        };
    }

    /** The topic under which its messages are staged. */
    public static String topic(KeyedJob<?, ?, ?> job) {
        return "job." + job.name();
    }

    /**
     * Runs it here and now, unless it ran under the key: then it gives what it gave. For queues of another make, which bring their jobs at
     * least once.
     */
    public <P, R> R run(KeyedJob<P, R, C> job, String scope, String key, P payload) throws Exception {
        var call = OperationCall.scope(scope).key(key).request(payload);
        return switch (job.work()) {
            case KeyedJob.TransactionalBody<P, R, C> local ->
                operation(job)
                        .transactional(transactions)
                        .run(call, (claim, tx) -> local.work().run(tx, payload));
            case KeyedJob.LeasedBody<P, R, C> leased ->
                operation(job)
                        .leased(leased.takeOver())
                        .run(call, claim -> leased.work().run(claim, payload));
        };
    }

    /** What is known of it, for whoever enqueued it. */
    public <R> JobResult<R> result(KeyedJob<?, R, C> job, String scope, String key) {
        return refrain.admin()
                .find(new ScopedKey(scope, job.name(), key))
                .map(record -> result(job, record))
                .orElse(new JobResult.NotStarted<>());
    }

    private <R> JobResult<R> result(KeyedJob<?, R, C> job, StoredRecord record) {
        if (record.state() == RecordState.ATTENTION) {
            return new JobResult.Unknown<>();
        }
        if (record.state() != RecordState.COMPLETED) {
            return new JobResult.Running<>();
        }
        if (record.outcome().isEmpty()) {
            return new JobResult.Done<>(null);
        }
        var answer = OutcomeFormat.decode(record.outcome().get());
        var failure = StoredFailure.fromAnswer(answer);
        if (failure.isPresent()) {
            return new JobResult.Failed<>(failure.get().message(), job.work() instanceof KeyedJob.LeasedBody);
        }
        return new JobResult.Done<>(
                answer.status() == NOTHING
                        ? null
                        : job.resultType()
                                .cast(refrain.codec().decode(answer.body().bytes(), job.resultType())));
    }

    /** Something that runs. */
    @FunctionalInterface
    private interface JobCall {
        Object run() throws Exception;
    }

    /** What a run that did not happen means for the message that asked for it. */
    private static void mapToDelivery(JobCall running) throws Exception {
        try {
            running.run();
        } catch (InProgressException twin) {
            throw new RetryLaterException("It is running.", twin.retryAfter());
        } catch (AttentionRequiredException undecided) {
            throw new RetryLaterException(
                    "Whether it took effect is not known: it waits for a decision.", DECISION_PENDING);
        } catch (RequestMismatchException another) {
            throw DeliveryRefusedException.permanent("Its key was used with another payload.");
        } catch (ReplayedFailureException done) {
            // It ran, and that is how it ended: whoever asks for the result is told.
        }
    }

    private <P, R> Operation<R> operation(KeyedJob<P, R, C> job) {
        return refrain.operation(job.name(), job.resultType()).retention(job.retention());
    }

    private <P> OperationCall call(KeyedJob<P, ?, C> job, EnqueuedJob enqueued) {
        return OperationCall.scope(enqueued.scope()).key(enqueued.key()).request(payload(job, enqueued));
    }

    private <P> P payload(KeyedJob<P, ?, C> job, EnqueuedJob enqueued) {
        return job.payloadType().cast(refrain.codec().decode(enqueued.payload().bytes(), job.payloadType()));
    }
}
