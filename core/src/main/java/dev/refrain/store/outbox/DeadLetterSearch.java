package dev.refrain.store.outbox;

import java.util.Optional;

/**
 * Filter and page of a search for dead letters. Empty filters match everything. Immutable.
 *
 * @param after the cursor of the previous page
 * @param limit the maximum number of dead letters on a page
 */
public record DeadLetterSearch(
        Optional<String> topic, Optional<MessageSettlement.Cause> cause, Optional<String> after, int limit) {

    public DeadLetterSearch {
        OutboxPage.requireLength(limit);
    }

    /** Returns this search continued after a page. */
    public DeadLetterSearch after(String cursor) {
        return new DeadLetterSearch(topic, cause, Optional.of(cursor), limit);
    }
}
