package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordPage.Order;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordView;
import dev.refrain.store.jdbc.internal.record.ColumnCodes;
import dev.refrain.store.jdbc.internal.record.RecordExplainer;
import dev.refrain.store.jdbc.internal.record.RecordExplainer.UnexplainedRow;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** Scan along an index, bounded by {@link JdbcRecordBrowser#WALK}: through a scope by the primary key, or by time. */
sealed interface RecordScan {

    /** What was scanned, before the attempts of all rows are read at once. */
    private static ScannedRow<UnexplainedRow<RecordView>> step(SqlResultRow c) throws SQLException {
        return new ScannedRow<>(RecordViewRowMapper.read(c), c.flag("wanted"), c.flag("cut"));
    }

    private static List<ScannedRow<RecordView>> explained(
            SqlSession session, List<ScannedRow<UnexplainedRow<RecordView>>> steps) throws SQLException {
        var views = RecordExplainer.complete(
                session, steps.stream().map(ScannedRow::row).toList());
        return IntStream.range(0, steps.size())
                .mapToObj(i -> new ScannedRow<>(
                        views.get(i), steps.get(i).wanted(), steps.get(i).cut()))
                .toList();
    }

    /** Scans the lookups of a scope, from the first to the last. */
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
            return explained(session, session.run(QUESTION, this, RecordScan::step));
        }
    }

    /** Scans back in time, from before (until, id) and no further than since. */
    record TimeScan(RecordSearch search, Instant since, Instant until, UUID before) implements RecordScan {

        private static final ParameterizedScript<TimeScan> QUESTION = question("walk_time", TimeScan::search)
                .number("since", w -> ParameterizedScript.micros(w.since))
                .number("until", w -> ParameterizedScript.micros(w.until))
                .uuid("before", TimeScan::before);

        @Override
        public Order order() {
            return Order.NEWEST_FIRST;
        }

        @Override
        public List<ScannedRow<RecordView>> fetch(SqlSession session) throws SQLException {
            return explained(session, session.run(QUESTION, this, RecordScan::step));
        }
    }

    RecordSearch search();

    Order order();

    List<ScannedRow<RecordView>> fetch(SqlSession session) throws SQLException;

    /**
     * Chooses the scan. A page continues with the scan of the previous one, even if the index for another has been created since.
     */
    static RecordScan of(RecordSearch search, boolean browsable) {
        var cursor = search.after().map(RecordPageCursor::parse);
        boolean timed = search.from().isPresent() || search.to().isPresent();
        boolean byTime = cursor.map(c -> c.order() == Order.NEWEST_FIRST)
                .orElse(search.scope().isEmpty() || (browsable && timed));
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
            .note("scope", s -> s.scope().orElse(null))
            .note("namespace", s -> s.namespace().orElse(null))
            .note("key", s -> s.key().orElse(null))
            .nullableNumber(
                    "state",
                    s -> s.state().map(state -> (long) ColumnCodes.of(state)).orElse(null))
            .nullableNumber(
                    "from",
                    s -> s.from()
                            .map(RecordScan::within)
                            .map(ParameterizedScript::micros)
                            .orElse(null))
            .nullableNumber(
                    "to",
                    s -> s.to().map(RecordScan::within)
                            .map(ParameterizedScript::micros)
                            .orElse(null))
            .number("walk", s -> JdbcRecordBrowser.WALK)
            .number("one_more", s -> s.limit() + 1L);

    default RecordPage page(List<ScannedRow<RecordView>> steps) {
        var found = ScannedRow.toResult(steps, search().limit());
        return new RecordPage(found.rows(), order(), found.last().map(last -> RecordPageCursor.text(order(), last)));
    }

    /** Clamps a time to the range of the store's clock. */
    private static Instant within(Instant moment) {
        return moment.isBefore(Instant.EPOCH)
                ? Instant.EPOCH
                : moment.isAfter(RecordPageCursor.LATEST) ? RecordPageCursor.LATEST : moment;
    }
}
