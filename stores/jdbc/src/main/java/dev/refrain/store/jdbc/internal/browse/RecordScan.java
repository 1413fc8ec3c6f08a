package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordPage.Order;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordView;
import dev.refrain.store.jdbc.internal.record.ColumnCodes;
import dev.refrain.store.jdbc.internal.record.OperatorQueries;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** One walk along an index, never further than {@link JdbcRecordBrowser#WALK}: by the primary key through a scope, or through time. */
sealed interface RecordScan {

    private static ScannedRow<RecordView> step(ResultRow c) throws SQLException {
        return new ScannedRow<>(RecordViewMapper.read(c), c.flag("wanted"), c.flag("cut"));
    }

    /** Through the lookups of a scope, from the first to the last. */
    record ScopeScan(RecordSearch search, UUID first, UUID last) implements RecordScan {

        private static final ParameterizedScript<ScopeScan> QUESTION = question("walk_scope", ScopeScan::search)
                .uuid("first", ScopeScan::first)
                .uuid("last", ScopeScan::last);

        @Override
        public Order order() {
            return Order.AS_STORED;
        }

        @Override
        public List<ScannedRow<RecordView>> fetch(SqlSession session) throws SQLException {
            return session.run(QUESTION, this, RecordScan::step);
        }
    }

    /** Back through time, from before (until, id) and no further than since. */
    record TimeScan(RecordSearch search, Instant since, Instant until, UUID before) implements RecordScan {

        private static final ParameterizedScript<TimeScan> QUESTION = question("walk_time", TimeScan::search)
                .number("since", w -> OperatorQueries.micros(w.since))
                .number("until", w -> OperatorQueries.micros(w.until))
                .uuid("before", TimeScan::before);

        @Override
        public Order order() {
            return Order.NEWEST_FIRST;
        }

        @Override
        public List<ScannedRow<RecordView>> fetch(SqlSession session) throws SQLException {
            return session.run(QUESTION, this, RecordScan::step);
        }
    }

    RecordSearch search();

    Order order();

    List<ScannedRow<RecordView>> fetch(SqlSession session) throws SQLException;

    /** A page goes on as the one before it went, even if the index for another way has come since. */
    static RecordScan of(RecordSearch search, boolean indexed) {
        var cursor = search.after().map(RecordPageCursor::parse);
        boolean timed = search.from().isPresent() || search.to().isPresent();
        boolean byTime = cursor.map(c -> c.order() == Order.NEWEST_FIRST)
                .orElse(search.scope().isEmpty() || (indexed && timed));
        return byTime ? throughTime(search, cursor) : throughScope(search, cursor);
    }

    private static RecordScan throughTime(RecordSearch search, Optional<RecordPageCursor> after) {
        var until = search.to().map(RecordScan::within).orElse(RecordPageCursor.LATEST);
        return new TimeScan(
                search,
                search.from().map(RecordScan::within).orElse(Instant.EPOCH),
                after.map(RecordPageCursor::claimed).orElse(until),
                after.map(RecordPageCursor::at).orElse(RecordPageCursor.LEAST));
    }

    private static RecordScan throughScope(RecordSearch search, Optional<RecordPageCursor> after) {
        var any = ScopedKey.anyHashOfScope(search.scope().orElseThrow(RecordPageCursor::invalidCursor));
        return new ScopeScan(
                search,
                after.map(RecordPageCursor::nextLookup)
                        .orElse(any.firstOfScope().asUuid()),
                any.lastOfScope().asUuid());
    }

    private static <W extends RecordScan> ParameterizedScript<W> question(
            String script, java.util.function.Function<W, RecordSearch> search) {
        return ParameterizedScript.<W>script(script).include(WANTED, search);
    }

    ParameterizedScript<RecordSearch> WANTED = ParameterizedScript.<RecordSearch>script("wanted")
            .text("scope", s -> s.scope().orElse(null))
            .text("namespace", s -> s.namespace().orElse(null))
            .text("key", s -> s.key().orElse(null))
            .nullableNumber(
                    "state",
                    s -> s.state().map(state -> (long) ColumnCodes.of(state)).orElse(null))
            .nullableNumber(
                    "from",
                    s -> s.from()
                            .map(RecordScan::within)
                            .map(OperatorQueries::micros)
                            .orElse(null))
            .nullableNumber(
                    "to",
                    s -> s.to().map(RecordScan::within)
                            .map(OperatorQueries::micros)
                            .orElse(null))
            .number("walk", s -> JdbcRecordBrowser.WALK)
            .number("limit", RecordSearch::limit);

    default RecordPage page(List<ScannedRow<RecordView>> steps) {
        var found = ScannedRow.toResult(steps, search().limit());
        return new RecordPage(found.rows(), order(), found.last().map(last -> RecordPageCursor.text(order(), last)));
    }

    /** What was asked for, as far as a store's clock reaches. */
    private static Instant within(Instant moment) {
        return moment.isBefore(Instant.EPOCH)
                ? Instant.EPOCH
                : moment.isAfter(RecordPageCursor.LATEST) ? RecordPageCursor.LATEST : moment;
    }
}
