package dev.refrain.outbox.jobs;

import dev.refrain.KeyRules;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.InProgressException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.OutcomeRule;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.StoredFailure;
import dev.refrain.outbox.DeliveryRefusedException;
import dev.refrain.outbox.MessageDelivery;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.OutboxMessage;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.MessageLabels;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Queue of jobs that take effect once per key, however often they are enqueued.
 *
 * {@snippet :
 * var jobs = KeyedJobQueue.on(refrain, store.transactions(), store.outbox());
 * var relay = jobs.registerOn(Relay.on(refrain, store.outbox()), invoice).start();
 *
 * var key = ClientKey.scope(tenant).key("order-7");
 * jobs.enqueue(connection, invoice, key, order);     // twice or more: it runs once
 * JobResult<Invoice> result = jobs.result(invoice, key);
 * }
 *
 * <p>The result of a job is kept in a record of its own, like any operation's: its key stays deduplicated for its retention, whatever
 * becomes of the queue. Immutable; safe for use by many threads.
 *
 * @param <C> the connection of a transaction
 */
public final class KeyedJobQueue<C> {

    private static final Duration DECISION_PENDING = Duration.ofMinutes(1);
    private static final int NOTHING = 204;

    private final Refrain refrain;
    private final StoreTransactionFactory<C> transactions;
    private final Outbox<C> outbox;
    private final Optional<String> subject;

    private KeyedJobQueue(
            Refrain refrain, StoreTransactionFactory<C> transactions, Outbox<C> outbox, Optional<String> subject) {
        this.refrain = refrain;
        this.transactions = transactions;
        this.outbox = outbox;
        this.subject = subject;
    }

    /** Returns a queue whose jobs are staged in an outbox and run in these transactions. */
    public static <C> KeyedJobQueue<C> on(
            Refrain refrain, StoreTransactionFactory<C> transactions, OutboxStore<C> outbox) {
        refrain.requireOwnTransactions(transactions, "Cannot run jobs");
        return new KeyedJobQueue<>(refrain, transactions, Outbox.on(refrain, outbox), Optional.empty());
    }

    /** Returns the same queue for jobs about a person, with whom their messages and records are erased. */
    public KeyedJobQueue<C> about(String person) {
        return new KeyedJobQueue<>(refrain, transactions, outbox, Optional.of(person));
    }

    /**
     * Enqueues a job in the caller's transaction. It runs if the transaction commits, unless the job ran or runs under the key. The same
     * key with another payload becomes a dead letter.
     */
    public <P> void enqueue(C tx, KeyedJob<P, ?, C> job, ClientKey key, P payload) {
        KeyRules.DEFAULT.check(key.key());
        requireStorable(job);
        var identity = key.inNamespace(job.name());
        var body = EnqueuedJob.of(key, refrain.codec().encode(payload));
        var labels = MessageLabels.ofScope(key.scope()).withReference(reference(identity));
        outbox.stage(
                tx,
                OutboxMessage.of(topic(job), body)
                        .labelled(subject.map(labels::withSubject).orElse(labels)));
    }

    /** Returns what a job's messages are found by: the hash under which its record is stored too. */
    private static String reference(ScopedKey job) {
        return job.hash().toString();
    }

    /** Adds the job to the topics of a relay, with the defaults of {@link TopicSettings#of}. */
    public <P, R> Relay.Builder<C> registerOn(Relay.Builder<C> relay, KeyedJob<P, R, C> job) {
        return registerOn(relay, job, TopicSettings.of(topic(job)));
    }

    /**
     * Adds the job to the topics of a relay.
     *
     * @param topic the settings of the topic whose name is {@link #topic}
     * @throws IllegalArgumentException if the codec can never write, read or compare the payload of the job, or its result
     */
    public <P, R> Relay.Builder<C> registerOn(Relay.Builder<C> relay, KeyedJob<P, R, C> job, TopicSettings topic) {
        if (!topic.name().equals(topic(job))) {
            throw new IllegalArgumentException("Cannot register job " + job.name() + " with topic " + topic.name()
                    + ": its messages have the topic " + topic(job)
                    + ". Use TopicSettings.of(KeyedJobQueue.topic(job)).");
        }
        requireStorable(job);
        return switch (job.work()) {
            case KeyedJob.TransactionalBody<P, R, C> local ->
                relay.handle(topic, (tx, delivery) -> {
                    var enqueued = EnqueuedJob.read(delivery.body());
                    mapToDelivery(() -> operation(job)
                            .transactional(transactions)
                            .runInTransaction(
                                    tx,
                                    about(delivery.subject(), call(job, enqueued)),
                                    (claim, same) -> local.work().run(same, payload(job, enqueued))));
                });
            // Sending it again is harmless: the job's record deduplicates it.
            case KeyedJob.LeasedBody<P, R, C> leased ->
                relay.sendTo(topic, Downstream.<MessageDelivery, Object>honoursKeysForEver(), delivery -> {
                    var enqueued = EnqueuedJob.read(delivery.body());
                    mapToDelivery(() -> delivery.subject()
                            .map(this::about)
                            .orElse(this)
                            .run(job, enqueued.key(), payload(job, enqueued)));
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
    public <P, R> R run(KeyedJob<P, R, C> job, ClientKey key, P payload) throws Exception {
        requireStorable(job);
        var call = about(subject, OperationCall.key(key).request(payload));
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
    public <P, R> JobResult<R> runForResult(KeyedJob<P, R, C> job, ClientKey key, P payload) throws Exception {
        try {
            return new JobResult.Done<>(run(job, key, payload));
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
    public <R> JobResult<R> result(KeyedJob<?, R, C> job, ClientKey key) {
        var identity = key.inNamespace(job.name());
        var record = refrain.admin().find(identity);
        boolean mayBeDead = record.isEmpty() || record.get().state() == RecordState.RELEASED;
        return (mayBeDead ? deadLetter(job, identity) : Optional.<DeadLetter>empty())
                .<JobResult<R>>map(letter -> new JobResult.Dead<>(letter.reason(), mayHaveHappened(job)))
                .or(() -> record.map(found -> result(job, found)))
                .orElse(new JobResult.NotStarted<>());
    }

    private Optional<DeadLetter> deadLetter(KeyedJob<?, ?, C> job, ScopedKey identity) {
        return outbox.findDeadLetter(topic(job), reference(identity));
    }

    /**
     * Returns the state of a job like {@link #result}, and gives it up if it is {@link JobResult.Dead}: once the caller's transaction commits, the
     * job has failed and never runs under this key, even if its dead letter is resent. For callers that undo other work because of it.
     *
     * @param tx an open transaction of the application
     */
    public <P, R> JobResult<R> resultOrGiveUp(C tx, KeyedJob<P, R, C> job, ClientKey key) {
        var seen = result(job, key);
        if (!(seen instanceof JobResult.Dead<R> dead)) {
            return seen;
        }
        var letter = deadLetter(job, key.inNamespace(job.name()));
        if (letter.isEmpty()) {
            return result(job, key);
        }
        var enqueued = EnqueuedJob.read(letter.get().payload().bytes());
        return switch (giveUp(tx, job, call(job, enqueued), dead.message())) {
            case OperationResult.Ran ran -> dead;
            case OperationResult.Mismatch mismatch -> dead;
            case OperationResult.Attention attention -> new JobResult.Unknown<>();
            case OperationResult.InProgress running -> new JobResult.Running<>();
            case OperationResult.Replayed replayed -> result(job, key);
        };
    }

    /**
     * Gives up a job that has not ended, whether or not its message still exists: once the caller's transaction commits, the job has failed and
     * never runs under this key. For callers that undo other work because they no longer wait for it.
     *
     * @param tx an open transaction of the application
     * @param payload the payload that the job was enqueued with
     * @return the state of the job: {@link JobResult.Failed} if it was given up here, and may have happened if its record has expired; {@link
     *     JobResult.Running} if it is running now, and {@link JobResult.Unknown} if its record waits for a person, and was not given up
     */
    public <P, R> JobResult<R> giveUp(C tx, KeyedJob<P, R, C> job, ClientKey key, P payload, String why) {
        var seen = resultOrGiveUp(tx, job, key);
        if (!(seen instanceof JobResult.NotStarted<R> || seen instanceof JobResult.Running<R>)) {
            return seen;
        }
        var call = OperationCall.key(key).request(payload);
        return giveUp(tx, job, call, why) instanceof OperationResult.Ran
                ? new JobResult.Failed<>(why, true)
                : result(job, key);
    }

    /** Completes the record of a job as failed for ever: resending its message later must not run it. */
    private OperationResult giveUp(C tx, KeyedJob<?, ?, C> job, OperationCall call, String why) {
        return refrain.operation(job.name())
                .retention(Retention.FOREVER)
                .outcomeRule(OutcomeRule.EVERYTHING)
                .transactional(transactions)
                .runInTransactionForResult(
                        tx,
                        about(subject, call),
                        (claim, same) -> StoredFailure.toAnswer(new JobGivenUpException(why)));
    }

    /**
     * Ends a job whose outcome is unknown as failed, after a person found out that it did not happen or has to be undone: a saga that waits for it
     * is compensated.
     *
     * @param unknown the job's record, from the list of attention
     * @return false if the record has changed since it was listed
     */
    public boolean resolveAsFailed(AttentionItem unknown, String who, String why) {
        return refrain.admin().resolveAsFailed(unknown.claim(), who, why);
    }

    /**
     * Ends a job under a key as failed if its outcome is unknown, like {@link #resolveAsFailed(AttentionItem, String, String)}.
     *
     * @return false if the job does not wait for a person
     */
    public boolean resolveAsFailed(KeyedJob<?, ?, C> job, ClientKey key, String who, String why) {
        return refrain.admin()
                .find(key.inNamespace(job.name()))
                .filter(record -> record.state() == RecordState.ATTENTION)
                .filter(record -> refrain.admin().resolveAsFailed(record.claim(), who, why))
                .isPresent();
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
                                .cast(refrain.codec()
                                        .decode(
                                                answer.body().bytes(),
                                                job.resultType().type())));
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

    /** Refuses a job that could only become a dead letter, or whose result could not be read, before it is staged. */
    private void requireStorable(KeyedJob<?, ?, C> job) {
        refrain.requireComparable(job.payloadType(), "Cannot run job " + job.name() + ", whose payload is its request");
        refrain.requireStorable(job.resultType().type(), "Cannot run job " + job.name() + ", whose result is stored");
    }

    private <P, R> Operation<R> operation(KeyedJob<P, R, C> job) {
        return refrain.operation(job.name(), job.resultType()).retention(job.retention());
    }

    private static OperationCall about(Optional<String> person, OperationCall call) {
        return person.map(call::withSubject).orElse(call);
    }

    private <P> OperationCall call(KeyedJob<P, ?, C> job, EnqueuedJob enqueued) {
        return OperationCall.key(enqueued.key()).request(payload(job, enqueued));
    }

    private <P> P payload(KeyedJob<P, ?, C> job, EnqueuedJob enqueued) {
        return job.payloadType().cast(refrain.codec().decode(enqueued.payload().bytes(), job.payloadType()));
    }
}
