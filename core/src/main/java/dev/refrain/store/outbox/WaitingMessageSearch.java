package dev.refrain.store.outbox;

import java.util.Optional;

/**
 * Which of the messages that wait someone wants to see. What is empty does not matter. Immutable.
 *
 * @param failing only those that failed before
 * @param after the cursor of the page before
 * @param limit how many a page holds at most
 */
public record WaitingMessageSearch(Optional<String> topic, boolean failing, Optional<String> after, int limit) {

    public WaitingMessageSearch {
        OutboxPage.requireLength(limit);
    }
}
