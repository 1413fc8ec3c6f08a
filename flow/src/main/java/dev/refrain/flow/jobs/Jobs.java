package dev.refrain.flow.jobs;

import dev.refrain.AttentionException;
import dev.refrain.Call;
import dev.refrain.InProgressException;
import dev.refrain.MismatchException;
import dev.refrain.Operation;
import dev.refrain.Refrain;
import dev.refrain.RepeatedFailureException;
import dev.refrain.flow.Downstream;
import dev.refrain.flow.outbox.Delivery;
import dev.refrain.flow.outbox.DeliveryRefusedException;
import dev.refrain.flow.outbox.Outbox;
import dev.refrain.flow.outbox.Relay;
import dev.refrain.flow.outbox.Topic;
import dev.refrain.key.Identity;
import dev.refrain.key.KeyRules;
import dev.refrain.outcome.Codec;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.run.Failure;
import dev.refrain.run.PutOffException;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Transactions;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;

/**
 * Enqueues jobs, runs each once for its key, and knows what they gave.
 *
 * {@snippet :
 * var jobs = Jobs.on(refrain, store.transactions(), store.outbox());
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
public final class Jobs<C> {

    private static final Duration DECISION_PENDING = Duration.ofMinutes(1);
    private static final int NOTHING = 204;

    private final Refrain refrain;
    private final Transactions<C> transactions;
    private final Outbox<C> outbox;
    private final Codec codec;

    private Jobs(Refrain refrain, Transactions<C> transactions, Outbox<C> outbox, Codec codec) {
        this.refrain = refrain;
        this.transactions = transactions;
        this.outbox = outbox;
        this.codec = codec;
    }

    /** With the codec that Refrain has by itself. */
    public static <C> Jobs<C> on(Refrain refrain, Transactions<C> transactions, OutboxStore<C> outbox) {
        return on(refrain, transactions, outbox, Codec.standard());
    }

    /** @param codec the one in the settings of {@code refrain}: results are stored by it */
    public static <C> Jobs<C> on(Refrain refrain, Transactions<C> transactions, OutboxStore<C> outbox, Codec codec) {
        return new Jobs<>(refrain, transactions, Outbox.on(outbox).with(codec), codec);
    }

    /**
     * Enqueues it in the caller's transaction: it runs if that commits, and if no job of its name ran or runs under the key. The same key
     * with another payload is a mistake of the caller's, and ends among the dead letters.
     */
    public <P> void enqueue(C tx, Job<P, ?, C> job, String scope, String key, P payload) {
        var checked = new Identity(scope, job.name(), KeyRules.DEFAULT.check(key));
        outbox.stage(tx, topic(job), Enqueued.of(checked.scope(), checked.key(), codec.encode(payload)));
    }

    /** Makes the relay run the job, with the defaults of {@link Topic#of}. */
    public <P, R> Relay.Builder<C> registerOn(Relay.Builder<C> relay, Job<P, R, C> job) {
        return registerOn(relay, job, Topic.of(topic(job)));
    }

    /** @param topic as {@link #topic} names it, delivered as it says */
    public <P, R> Relay.Builder<C> registerOn(Relay.Builder<C> relay, Job<P, R, C> job, Topic topic) {
        if (!topic.name().equals(topic(job))) {
            throw new IllegalArgumentException(
                    "The job " + job.name() + " is enqueued as " + topic(job) + ", not as " + topic.name() + ".");
        }
        return switch (job.work()) {
            case Job.Local<P, R, C> local ->
                relay.handle(topic, (tx, delivery) -> {
                    var enqueued = Enqueued.read(delivery.body());
                    mapToDelivery(() -> operation(job)
                            .transactional(transactions)
                            .runInTransaction(
                                    tx,
                                    call(job, enqueued),
                                    (claim, same) -> local.work().run(same, payload(job, enqueued))));
                });
            // Sending it again is harmless: what runs is kept by its own record.
            case Job.Leased<P, R, C> leased ->
                relay.sendTo(topic, Downstream.<Delivery, Object>honoursKeysForEver(), delivery -> {
                    var enqueued = Enqueued.read(delivery.body());
                    mapToDelivery(() -> run(job, enqueued.scope(), enqueued.key(), payload(job, enqueued)));
                });
        };
    }

    /** The topic under which its messages are staged. */
    public static String topic(Job<?, ?, ?> job) {
        return "job." + job.name();
    }

    /**
     * Runs it here and now, unless it ran under the key: then it gives what it gave. For queues of another make, which bring their jobs at
     * least once.
     */
    public <P, R> R run(Job<P, R, C> job, String scope, String key, P payload) throws Exception {
        var call = Call.of(scope, key, payload);
        return switch (job.work()) {
            case Job.Local<P, R, C> local ->
                operation(job)
                        .transactional(transactions)
                        .run(call, (claim, tx) -> local.work().run(tx, payload));
            case Job.Leased<P, R, C> leased ->
                operation(job)
                        .leased(leased.takeOver())
                        .run(call, claim -> leased.work().run(claim, payload));
        };
    }

    /** What is known of it, for whoever enqueued it. */
    public <R> JobResult<R> result(Job<?, R, C> job, String scope, String key) {
        return refrain.admin()
                .find(new Identity(scope, job.name(), key))
                .map(record -> result(job, record))
                .orElse(new JobResult.NotBegun<>());
    }

    private <R> JobResult<R> result(Job<?, R, C> job, StoredRecord record) {
        if (record.state() == State.ATTENTION) {
            return new JobResult.Unknown<>();
        }
        if (record.state() != State.COMPLETED) {
            return new JobResult.Running<>();
        }
        if (record.outcome().isEmpty()) {
            return new JobResult.Done<>(null);
        }
        var answer = OutcomeFormat.decode(record.outcome().get());
        var failure = Failure.fromAnswer(answer);
        if (failure.isPresent()) {
            return new JobResult.Failed<>(failure.get().message(), job.work() instanceof Job.Leased);
        }
        return new JobResult.Done<>(
                answer.status() == NOTHING
                        ? null
                        : job.resultType().cast(codec.decode(answer.body().bytes(), job.resultType())));
    }

    /** Something that runs. */
    @FunctionalInterface
    private interface Running {
        Object run() throws Exception;
    }

    /** What a run that did not happen means for the message that asked for it. */
    private static void mapToDelivery(Running running) throws Exception {
        try {
            running.run();
        } catch (InProgressException twin) {
            throw new PutOffException("It is running.", twin.retryAfter());
        } catch (AttentionException undecided) {
            throw new PutOffException(
                    "Whether it took effect is not known: it waits for a decision.", DECISION_PENDING);
        } catch (MismatchException another) {
            throw DeliveryRefusedException.permanent("Its key was used with another payload.");
        } catch (RepeatedFailureException done) {
            // It ran, and that is how it ended: whoever asks for the result is told.
        }
    }

    private <P, R> Operation<R> operation(Job<P, R, C> job) {
        return refrain.operation(job.name(), job.resultType()).retention(job.retention());
    }

    private <P> Call call(Job<P, ?, C> job, Enqueued enqueued) {
        return Call.of(enqueued.scope(), enqueued.key(), payload(job, enqueued));
    }

    private <P> P payload(Job<P, ?, C> job, Enqueued enqueued) {
        return job.payloadType().cast(codec.decode(enqueued.payload().bytes(), job.payloadType()));
    }
}
