package dev.refrain.store.jdbc;

import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimAnswer.Acquired;
import dev.refrain.store.ClaimAnswer.Found;
import dev.refrain.store.ClaimAnswer.Unseen;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.WriteAnswer.Refused;
import dev.refrain.store.WriteAnswer.Written;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One operation in one transaction: a lock that is tested and not waited for, the work, and one write at the end.
 *
 * <p>None of our own statements is expected to fail, so none poisons the caller's transaction; should one fail
 * nevertheless, everything since {@link #enter} is taken back and the transaction can be used again.
 *
 * <p>Above READ COMMITTED a transaction does not see what was committed after its snapshot, even with the lock in hand.
 * Two things keep that harmless. What it would acquire is read once more outside of it; and the write at the end meets the
 * row itself, so that a record it could not see makes it fail (SQLSTATE 40001) and never doubles anything.
 */
final class JdbcTransaction implements StoreTransaction<Connection> {

    /** A record to be written, and the one that it takes the place of. */
    private record Settling(
            ClaimRequest request, StoredRecord acquired, Optional<StoredRecord> seen, Optional<Payload> outcome) {}

    private static final Question<ClaimRequest> ENTER = Question.<ClaimRequest>named("enter")
            .from(Claiming.CLAIM, r -> r)
            .number("lock", r -> r.lookup().low() ^ Scripts.LOCK_SPACE);

    private static final Question<Boolean> UNDO = Question.named("undo");

    private static final Question<Settling> SETTLE = settling("settle");
    private static final Question<Settling> SETTLE_SEEN = settling("settle_seen");

    private final Store store;
    private final Session session;
    private final Ownership ownership;
    private Optional<StoredRecord> seen = Optional.empty();

    JdbcTransaction(Store store, Session session, Ownership ownership) {
        this.store = store;
        this.session = session;
        this.ownership = ownership;
    }

    @Override
    public Connection connection() {
        return ownership.connection();
    }

    @Override
    public ClaimAnswer enter(ClaimRequest request) {
        var entry = new Entry();
        try {
            session.askOne(ENTER, request, entry);
        } catch (SQLException e) {
            throw failed("Entering the transaction of " + request.identity(), e);
        }
        if (!entry.granted) {
            return new Unseen();
        }
        entry.found.forEach(found -> found.of(request.identity()));
        seen = entry.found.stream().flatMap(found -> found.record().stream()).findFirst();
        var answer = judged(request);
        return entry.frozen && answer instanceof Acquired ? checkedOutside(request, answer) : answer;
    }

    private ClaimAnswer judged(ClaimRequest request) {
        if (seen.isEmpty()) {
            return new Acquired(Unwritten.madeBy(request));
        }
        var record = seen.get();
        return switch (Ruling.on(record, request)) {
            case REPLACE -> new Acquired(Unwritten.madeBy(request));
            case TAKE -> new Acquired(Unwritten.takenBy(request, record));
            case OWN, HOLD, LEAVE -> new Found(record);
        };
    }

    /** Nobody else can be about to settle it, because we have the lock: what is there now stays. */
    private ClaimAnswer checkedOutside(ClaimRequest request, ClaimAnswer inside) {
        var outside = store.find(List.of(request.identity())).getFirst();
        var alive = seen.filter(record -> !Seen.expired(record));
        if (outside.map(StoredRecord::claim).equals(alive.map(StoredRecord::claim))
                && outside.map(StoredRecord::state).equals(alive.map(StoredRecord::state))) {
            return inside;
        }
        if (outside.isPresent() && !outside.get().claimable()) {
            return new Found(outside.get());
        }
        throw StoreException.unavailable(
                "The record of " + request.identity()
                        + " changed after this transaction began, at an isolation level at"
                        + " which it cannot be seen: try again in a new transaction.",
                Effect.NONE,
                new IllegalStateException("snapshot older than the record"));
    }

    @Override
    public void undoWork() {
        try {
            session.askOne(UNDO, true, (result, columns) -> {});
        } catch (SQLException e) {
            throw session.dialect().failures().translate("Taking back the work", e, Effect.NONE);
        }
    }

    @Override
    public WriteAnswer settle(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        var question = seen.isPresent() ? SETTLE_SEEN : SETTLE;
        try {
            var settled = session.askOne(question, new Settling(request, acquired, seen, outcome), Columns::lookup);
            return settled.isEmpty() ? new Refused(Optional.empty()) : new Written();
        } catch (SQLException e) {
            throw failed("Settling " + request.identity(), e);
        }
    }

    @Override
    public void commit() {
        try {
            ownership.commit();
        } catch (SQLException e) {
            throw session.dialect().failures().translate("Committing", e, Effect.UNKNOWN);
        }
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (SQLException e) {
            // The statements go with their connection.
        }
        ownership.end();
    }

    /** Uncommitted, so nothing can have happened. The caller's transaction is made usable again where it can be. */
    private StoreException failed(String doing, SQLException error) {
        try {
            session.askOne(UNDO, true, (result, columns) -> {});
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
        return session.dialect().failures().translate(doing, error, Effect.NONE);
    }

    private static Question<Settling> settling(String script) {
        return Question.<Settling>named(script)
                .from(Claiming.CLAIM, Settling::request)
                .uuid("id", s -> s.acquired().id().value())
                .number("fence", s -> s.acquired().fence())
                .bytes("outcome", s -> Codes.bytes(s.outcome()))
                .uuid("seen_id", s -> s.seen().map(r -> r.id().value()).orElse(null))
                .numberOrNone(
                        "seen_fence", s -> s.seen().map(StoredRecord::fence).orElse(null))
                .numberOrNone(
                        "seen_state",
                        s -> s.seen().map(r -> (long) Codes.of(r.state())).orElse(null));
    }

    /** The two results of entering: the lock, and what was read after it. */
    private static final class Entry implements Session.Each {
        private boolean granted;
        private boolean frozen;
        private final List<Seen> found = new ArrayList<>();

        @Override
        public void row(int result, Columns columns) throws SQLException {
            if (result == 0) {
                granted = columns.flag("granted");
                frozen = columns.flag("frozen");
            } else {
                found.add(Seen.read(columns));
            }
        }
    }
}
