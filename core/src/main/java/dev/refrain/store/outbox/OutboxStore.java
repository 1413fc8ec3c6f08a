package dev.refrain.store.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Store ability: keeps staged messages until they are delivered. It keeps rows, hands each to one taker at a time, and says what it saw;
 * what is sent and when is decided by the relay.
 *
 * <h2>What every implementation promises</h2>
 *
 * <ol>
 *   <li>A message is there if and only if the transaction that staged it has committed.
 *   <li>A row is taken by one taker at a time, for the length of a lease, judged by the store's clock. Each taking and each settlement that
 *       leaves the row raises its fence; a settlement under another fence changes nothing.
 *   <li>That a row is taken is stored, and counted, before it is handed out: a row that was taken may have been sent.
 *   <li>Rows of one lane are taken from its front only, and in the order in which they were staged: while the first one is taken or put off,
 *       none behind it is handed to anyone.
 *   <li>Failures are {@link dev.refrain.store.StoreException}s, and each says whether anything can have happened.
 * </ol>
 *
 * <p>Implementations are safe for use by many threads.
 *
 * @param <C> how the caller's transaction reaches the database, such as {@code java.sql.Connection}
 */
public interface OutboxStore<C> {

    /** Writes the message in the caller's open transaction, and sees to it that its commit wakes those who {@link #subscribeToCommits}. */
    void stage(C connection, StagedMessage message);

    /** Takes rows that are due, in the order of staging; none if there are none. */
    List<LeasedMessage> leaseMessages(MessageLeaseRequest order);

    /**
     * Settles each row that still has its fence.
     *
     * @return those that were settled; the others had moved on
     */
    Set<OutboxRowRef> settle(List<? extends MessageSettlement> settlements);

    /** A transaction of its own in which messages are handled and settled. */
    OutboxTransaction<C> begin();

    /** Dead letters, oldest first, after the given one. */
    List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit);

    /**
     * Does with dead letters as a person says, and writes who, when and why into the store's audit trail in the same step.
     *
     * @return how many of them were there
     */
    int resolveDeadLetters(DeadLetterDecision decision);

    /** Deletes up to {@code limit} delivered messages that were kept long enough; answers how many. */
    int reap(int limit);

    /** What waits in a topic. Counts no further than {@code limit}. */
    TopicBacklog backlog(String topic, int limit);

    /**
     * Tells of commits that staged something, by the topic's name, or by an empty one if it may have been any: soon, but perhaps too often,
     * late or not at all. Whoever relies on messages looks for them now and then.
     */
    WakeupSubscription subscribeToCommits(Consumer<String> topics);

    /** Ends by being closed. */
    interface WakeupSubscription extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * For how long after a {@link #leaseMessages} that found something its taker looks again often: those who stage meanwhile need not wake it.
     */
    Duration ACTIVE_POLLING_PERIOD = Duration.ofMillis(500);
}
