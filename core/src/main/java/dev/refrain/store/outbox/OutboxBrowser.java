package dev.refrain.store.outbox;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Store ability: answers people who look at messages.
 *
 * <p>No question costs more the more messages there are: each is a point, or a walk of bounded length along an index. What a message
 * says is shown by {@link #revealDeadLetter} alone. Safe for use by many threads; failures are {@link dev.refrain.store.StoreException}s.
 */
public interface OutboxBrowser {

    /** Every topic in which something waits or is dead, by name. Counts no further than {@code limit} in each. */
    List<TopicSummary> topics(int limit);

    /**
     * What waits, in the order of staging, as far as a bounded walk finds it.
     *
     * @throws IllegalArgumentException if the search goes on from what is no cursor
     */
    OutboxPage<WaitingMessage> searchWaiting(WaitingMessageSearch search);

    /**
     * What is dead, oldest first, as far as a bounded walk finds it.
     *
     * @throws IllegalArgumentException if the search goes on from what is no cursor
     */
    OutboxPage<DeadLetterView> searchDeadLetters(DeadLetterSearch search);

    Optional<DeadLetterView> findDeadLetter(UUID id);

    /** A dead letter with what it says; that someone had it shown, and why, is written into the audit trail before. */
    Optional<DeadLetter> revealDeadLetter(UUID id, String who, String why);
}
