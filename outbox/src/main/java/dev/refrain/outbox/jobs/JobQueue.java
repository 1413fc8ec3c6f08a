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
 * Queue of jobs that take effect once per key, however often they are enqueued.
 *
 * {@snippet :
 * var jobs = JobQueue.on(refrain, store.transactions(), store.outbox());
 * var relay = jobs.registerOn(Relay.on(refrain, store.outbox()), invoice).start();
 *
 * jobs.enqueue(connection, invoice, tenant, "order-7", order);     // twice or more: it runs once
 * JobResult<Invoice> result = jobs.result(invoice, tenant, "order-7");
 * }
 *
 * <p>The result of a job is kept in a record of its own, like any operation's: its key stays deduplicated for its retention, whatever
 * becomes of the queue. Immutable; safe for use by many threads.
 *
 * @param <C> the connection of a transaction
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
     * Enqueues a job in the caller's transaction. It runs if the transaction commits, unless the job ran or runs under the key. The same
     * key with another payload becomes a dead letter.
     */
    public <P> void enqueue(C tx, KeyedJob<P, ?, C> job, String scope, String key, P payload) {
        var checked = new ScopedKey(scope, job.name(), KeyRules.DEFAULT.check(key));
        outbox.stage(
                tx,
                topic(job),
                EnqueuedJob.of(checked.scope(), checked.key(), refrain.codec().encode(payload)));
    }

    /** Adds the job to the topics of a relay, with the defaults of {@link TopicSettings#of}. */
    public <P, R> Relay.Builder<C> registerOn(Relay.Builder<C> relay, KeyedJob<P, R, C> job) {
        return registerOn(relay, job, TopicSettings.of(topic(job)));
    }

    /**
     * Adds the job to the topics of a relay.
     *
     * @param topic the settings of the topic whose name is {@link #topic}
     */
    public <P, R> Relay.Builder<C> registerOn(Relay.Builder<C> relay, KeyedJob<P, R, C> job, TopicSettings topic) {
        if (!topic.name().equals(topic(job))) {
            throw new IllegalArgumentException("Cannot register job " + job.name() + " with topic " + topic.name()
                    + ": its messages have the topic " + topic(job) + ". Use TopicSettings.of(JobQueue.topic(job)).");
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
            // Sending it again is harmless: the job's record deduplicates it.
            case KeyedJob.LeasedBody<P, R, C> leased ->
                relay.sendTo(topic, Downstream.<MessageDelivery, Object>honoursKeysForEver(), delivery -> {
                    var enqueued = EnqueuedJob.read(delivery.body());
                    mapToDelivery(() -> run(job, enqueued.scope(), enqueued.key(), payload(job, enqueued)));
                });
        };
    }

    /** Returns the topic of a job's messages. */
    public static String topic(KeyedJob<?, ?, ?> job) {
        return "job." + job.name();
    }

    /**
     * Runs a job here and now, or replays its result if it has run under the key. For other queues, which deliver their jobs at least
     * once.
     *
     * @throws InProgressException if another caller is running this key
     * @throws RequestMismatchException if the key was used with another payload
     * @throws AttentionRequiredException if the outcome is unknown and a person has to resolve it
     * @throws ReplayedFailureException if the job ran and failed, and the failure was kept
     * @throws Exception thrown by the job
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

    /**
     * Runs a job like {@link #run} and returns its state as a value.
     *
     * @throws RequestMismatchException if the key was used with another payload
     * @throws Exception thrown by the job
     */
    public <P, R> JobResult<R> runForResult(KeyedJob<P, R, C> job, String scope, String key, P payload)
            throws Exception {
        try {
            return new JobResult.Done<>(run(job, scope, key, payload));
        } catch (InProgressException running) {
            return new JobResult.Running<>();
        } catch (AttentionRequiredException unknown) {
            return new JobResult.Unknown<>();
        } catch (ReplayedFailureException failure) {
            return new JobResult.Failed<>(failure.originalMessage(), mayHaveHappened(job));
        }
    }

    private static boolean mayHaveHappened(KeyedJob<?, ?, ?> job) {
        return job.work() instanceof KeyedJob.LeasedBody;
    }

    /** Returns the state of a job under a key, with its result once it is done. */
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
            return new JobResult.Failed<>(failure.get().message(), mayHaveHappened(job));
        }
        return new JobResult.Done<>(
                answer.status() == NOTHING
                        ? null
                        : job.resultType()
                                .cast(refrain.codec().decode(answer.body().bytes(), job.resultType())));
    }

    /** Run of a job. */
    @FunctionalInterface
    private interface JobCall {
        Object run() throws Exception;
    }

    /** Runs a job for a message, and turns its refusals into what they mean for the delivery. */
    private static void mapToDelivery(JobCall running) throws Exception {
        try {
            running.run();
        } catch (InProgressException twin) {
            throw new RetryLaterException("The job is running under this key.", twin.retryAfter());
        } catch (AttentionRequiredException undecided) {
            throw new RetryLaterException("The outcome of the job is unknown. Resolve its record.", DECISION_PENDING);
        } catch (RequestMismatchException another) {
            throw DeliveryRefusedException.permanent(
                    "The key of the job was used with another payload. Discard this message, or enqueue it under a new key.");
        } catch (ReplayedFailureException done) {
            // The job ran and failed for good; result() says so.
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
