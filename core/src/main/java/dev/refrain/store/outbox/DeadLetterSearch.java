package dev.refrain.store.outbox;

import java.util.Optional;

/**
 * Which dead letters someone wants to see. What is empty does not matter. Immutable.
 *
 * @param after the cursor of the page before
 * @param limit how many a page holds at most
 */
public record DeadLetterSearch(
        Optional<String> topic, Optional<MessageSettlement.Cause> cause, Optional<String> after, int limit) {

    public DeadLetterSearch {
        OutboxPage.requireLength(limit);
    }

    /** The same search, going on where a page ended. */
    public DeadLetterSearch after(String cursor) {
        return new DeadLetterSearch(topic, cause, Optional.of(cursor), limit);
    }
}
