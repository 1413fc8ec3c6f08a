package dev.refrain.store;

import java.time.Instant;
import java.util.Optional;

/**
 * Which records someone wants to see. What is empty does not matter. Immutable.
 *
 * {@snippet :
 * var search = RecordSearch.page(50).namespace("payments.create").state(RecordState.RELEASED);
 * var first = browsing.list(search);
 * var second = browsing.list(search.after(first.next().orElseThrow()));
 * }
 *
 * @param from first claimed at this moment of the store's clock or later
 * @param to first claimed before this moment
 * @param after the cursor of the page before
 * @param limit how many records a page holds at most
 */
public record RecordSearch(
        Optional<String> scope,
        Optional<String> namespace,
        Optional<String> key,
        Optional<RecordState> state,
        Optional<Instant> from,
        Optional<Instant> to,
        Optional<String> after,
        int limit) {

    /** The longest page. */
    public static final int MOST = 1_000;

    public RecordSearch {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("A page holds 1 to " + MOST + " records, but was asked for " + limit);
        }
    }

    /** All records, in pages of this length. */
    public static RecordSearch ofPageSize(int limit) {
        return new RecordSearch(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                limit);
    }

    public RecordSearch scope(String wanted) {
        return new RecordSearch(Optional.of(wanted), namespace, key, state, from, to, after, limit);
    }

    public RecordSearch namespace(String wanted) {
        return new RecordSearch(scope, Optional.of(wanted), key, state, from, to, after, limit);
    }

    public RecordSearch key(String wanted) {
        return new RecordSearch(scope, namespace, Optional.of(wanted), state, from, to, after, limit);
    }

    public RecordSearch state(RecordState wanted) {
        return new RecordSearch(scope, namespace, key, Optional.of(wanted), from, to, after, limit);
    }

    public RecordSearch from(Instant moment) {
        return new RecordSearch(scope, namespace, key, state, Optional.of(moment), to, after, limit);
    }

    public RecordSearch to(Instant moment) {
        return new RecordSearch(scope, namespace, key, state, from, Optional.of(moment), after, limit);
    }

    /** The same search, going on where a page ended. */
    public RecordSearch after(String cursor) {
        return new RecordSearch(scope, namespace, key, state, from, to, Optional.of(cursor), limit);
    }
}
