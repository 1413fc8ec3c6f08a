package dev.refrain.store.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Store ability: keeps staged messages until they are delivered. It stores rows, leases each to one relay at a time, and reports
 * what it found; the relay decides what is sent and when.
 *
 * <h2>Guarantees of every implementation</h2>
 *
 * <ol>
 *   <li>A message exists if and only if the transaction that staged it has committed.
 *   <li>One relay at a time leases a row, by the store's clock. Each lease, and each settlement that keeps the row, raises its
 *       fence; a settlement under another fence changes nothing.
 *   <li>A lease is stored and counted before the row is handed out: a row that was leased may have been sent.
 *   <li>Rows of one lane are leased in the order of staging and from the front only: while the first one is leased or delayed,
 *       none behind it is handed out.
 *   <li>Failures are {@link dev.refrain.store.StoreException}s, and each says whether anything can have happened.
 * </ol>
 *
 * <p>Implementations are thread-safe.
 *
 * @param <C> the caller's access to the database in its transaction, such as {@code java.sql.Connection}
 */
public interface OutboxStore<C> {

    /**
     * Stages the message in the caller's open transaction, whose commit is reported to the subscribers of {@link #subscribeToCommits}.
     */
    void stage(C connection, StagedMessage message);

    /** Leases messages that are due, in the order of staging; none if there are none. */
    List<LeasedMessage> leaseMessages(MessageLeaseRequest order);

    /**
     * Settles each row that still has its fence.
     *
     * @return the settled rows; the others have another fence
     */
    Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements);

    /** Returns true if messages and the reasons of failed deliveries are encrypted before they reach the database. */
    default boolean encrypted() {
        return false;
    }

    /** Begins a transaction in which messages are handled and settled. */
    DeliveryTransaction<C> begin();

    /**
     * Begins such a transaction, whose waits end in time: a connection that does not come by then fails without effect, a commit fails as
     * {@code UNKNOWN}. By default as {@link #begin()}, for stores that never wait for long.
     *
     * @param timeout longest wait for each of the connection, the handlers, and the commit
     */
    default DeliveryTransaction<C> begin(Duration timeout) {
        return begin();
    }

    /**
     * Lists dead letters, oldest first.
     *
     * @param after the last one of the page before; null for the first page
     */
    List<DeadLetter> deadLetters(@Nullable DeadLetter after, int limit);

    /** Finds the newest dead letter of a topic that was staged with this {@linkplain MessageLabels#reference reference}. */
    Optional<DeadLetter> findDeadLetter(String topic, String reference);

    /**
     * Resends or discards dead letters as a person decided, and writes actor, time and reason into the store's audit trail in the
     * same step.
     *
     * @return how many of them existed
     */
    int resolveDeadLetters(DeadLetterDecision decision);

    /** Deletes up to {@code limit} delivered messages that were kept long enough; returns how many. */
    int reap(int limit);

    /** Returns the backlog of a topic, counted up to {@code limit}. */
    TopicBacklog backlog(String topic, int limit);

    /** Reports staged messages to the listener: those of this process at once, those of others where the database can notify. */
    WakeupSubscription subscribeToCommits(StagingListener listener);

    /** Subscription that ends when it is closed. */
    interface WakeupSubscription extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Time after a successful {@link #leaseMessages} during which the relay polls often, so that staging transactions need not
     * wake it.
     */
    Duration ACTIVE_POLLING_PERIOD = Duration.ofMillis(500);
}
