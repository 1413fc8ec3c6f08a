package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordPage.Order;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordView;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** One walk along an index, never further than {@link JdbcBrowsing#WALK}: by the primary key through a scope, or through time. */
sealed interface Walk {

    private static Walked<RecordView> step(Columns c) throws SQLException {
        return new Walked<>(Views.read(c), c.flag("wanted"), c.flag("cut"));
    }

    /** Through the lookups of a scope, from the first to the last. */
    record ThroughScope(RecordSearch search, UUID first, UUID last) implements Walk {

        private static final Question<ThroughScope> QUESTION = question("walk_scope", ThroughScope::search)
                .uuid("first", ThroughScope::first)
                .uuid("last", ThroughScope::last);

        @Override
        public Order order() {
            return Order.AS_STORED;
        }

        @Override
        public List<Walked<RecordView>> fetch(Session session) throws SQLException {
            return session.run(QUESTION, this, Walk::step);
        }
    }

    /** Back through time, from before (until, id) and no further than since. */
    record ThroughTime(RecordSearch search, Instant since, Instant until, UUID before) implements Walk {

        private static final Question<ThroughTime> QUESTION = question("walk_time", ThroughTime::search)
                .number("since", w -> Operating.micros(w.since))
                .number("until", w -> Operating.micros(w.until))
                .uuid("before", ThroughTime::before);

        @Override
        public Order order() {
            return Order.NEWEST_FIRST;
        }

        @Override
        public List<Walked<RecordView>> fetch(Session session) throws SQLException {
            return session.run(QUESTION, this, Walk::step);
        }
    }

    RecordSearch search();

    Order order();

    List<Walked<RecordView>> fetch(Session session) throws SQLException;

    /** A page goes on as the one before it went, even if the index for another way has come since. */
    static Walk of(RecordSearch search, boolean indexed) {
        var cursor = search.after().map(Cursor::parse);
        boolean timed = search.from().isPresent() || search.to().isPresent();
        boolean byTime = cursor.map(c -> c.order() == Order.NEWEST_FIRST)
                .orElse(search.scope().isEmpty() || (indexed && timed));
        return byTime ? throughTime(search, cursor) : throughScope(search, cursor);
    }

    private static Walk throughTime(RecordSearch search, Optional<Cursor> after) {
        var until = search.to().map(Walk::within).orElse(Cursor.LATEST);
        return new ThroughTime(
                search,
                search.from().map(Walk::within).orElse(Instant.EPOCH),
                after.map(Cursor::claimed).orElse(until),
                after.map(Cursor::at).orElse(Cursor.LEAST));
    }

    private static Walk throughScope(RecordSearch search, Optional<Cursor> after) {
        var any = Identity.anyHashOfScope(search.scope().orElseThrow(Cursor::invalidCursor));
        return new ThroughScope(
                search,
                after.map(Cursor::nextLookup).orElse(any.firstOfScope().asUuid()),
                any.lastOfScope().asUuid());
    }

    private static <W extends Walk> Question<W> question(
            String script, java.util.function.Function<W, RecordSearch> search) {
        return Question.<W>script(script).include(WANTED, search);
    }

    Question<RecordSearch> WANTED = Question.<RecordSearch>script("wanted")
            .text("scope", s -> s.scope().orElse(null))
            .text("namespace", s -> s.namespace().orElse(null))
            .text("key", s -> s.key().orElse(null))
            .nullableNumber(
                    "state", s -> s.state().map(state -> (long) Codes.of(state)).orElse(null))
            .nullableNumber(
                    "from",
                    s -> s.from().map(Walk::within).map(Operating::micros).orElse(null))
            .nullableNumber(
                    "to", s -> s.to().map(Walk::within).map(Operating::micros).orElse(null))
            .number("walk", s -> JdbcBrowsing.WALK)
            .number("limit", RecordSearch::limit);

    default RecordPage page(List<Walked<RecordView>> steps) {
        var found = Walked.toResult(steps, search().limit());
        return new RecordPage(found.rows(), order(), found.last().map(last -> Cursor.text(order(), last)));
    }

    /** What was asked for, as far as a store's clock reaches. */
    private static Instant within(Instant moment) {
        return moment.isBefore(Instant.EPOCH) ? Instant.EPOCH : moment.isAfter(Cursor.LATEST) ? Cursor.LATEST : moment;
    }
}
