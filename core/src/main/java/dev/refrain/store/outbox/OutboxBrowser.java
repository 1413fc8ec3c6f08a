package dev.refrain.store.outbox;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Store ability: finds messages for people.
 *
 * <p>The cost of a query does not grow with the number of messages: each reads one row or scans a bounded part of an index. Only
 * {@link #revealDeadLetter} shows a message's body. Thread-safe; failures are {@link dev.refrain.store.StoreException}s.
 */
public interface OutboxBrowser {

    /** Lists topics with waiting messages or dead letters, by name. Counts up to {@code limit} in each. */
    List<TopicSummary> topics(int limit);

    /**
     * Returns the matching waiting messages that a bounded scan finds, in the order of staging.
     *
     * @throws IllegalArgumentException if the search's cursor is invalid
     */
    OutboxPage<WaitingMessage> searchWaiting(WaitingMessageSearch search);

    /**
     * Returns the matching dead letters that a bounded scan finds, oldest first.
     *
     * @throws IllegalArgumentException if the search's cursor is invalid
     */
    OutboxPage<DeadLetterView> searchDeadLetters(DeadLetterSearch search);

    Optional<DeadLetterView> findDeadLetter(UUID id);

    /** Returns a dead letter with its body, after recording in the audit trail who viewed it and why. */
    Optional<DeadLetter> revealDeadLetter(UUID id, String who, String why);
}
