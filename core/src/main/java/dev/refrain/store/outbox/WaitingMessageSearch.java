package dev.refrain.store.outbox;

import java.util.Optional;

/**
 * Filter and page of a search for waiting messages. Empty filters match everything. Immutable.
 *
 * @param failing only those that failed before
 * @param after the cursor of the previous page
 * @param limit the maximum number of messages on a page
 */
public record WaitingMessageSearch(Optional<String> topic, boolean failing, Optional<String> after, int limit) {

    public WaitingMessageSearch {
        OutboxPage.requireLength(limit);
    }
}
