package dev.refrain.store;

import java.time.Instant;
import java.util.Optional;

/**
 * Filter and page of a search for records. Empty filters match everything. Immutable.
 * {@snippet :
 * var search = RecordSearch.ofPageSize(50).namespace("payments.create").state(RecordState.RELEASED);
 * var first = browser.search(search);
 * var second = browser.search(search.after(first.next().orElseThrow()));
 * }
 *
 * @param from first claimed at this time of the store's clock or later
 * @param to first claimed before this time
 * @param after the cursor of the previous page
 * @param limit the maximum number of records on a page
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

    /** Maximum page size. */
    public static final int MOST = 1_000;

    public RecordSearch {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("A page holds 1 to " + MOST + " records, but limit is " + limit);
        }
    }

    /** Matches all records, in pages of this size. */
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

    /** Returns this search continued after a page. */
    public RecordSearch after(String cursor) {
        return new RecordSearch(scope, namespace, key, state, from, to, Optional.of(cursor), limit);
    }
}
