package dev.refrain.store.jdbc;

import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.WriteAnswer.Refused;
import dev.refrain.store.WriteAnswer.Written;
import dev.refrain.store.jdbc.Line.Passage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One operation in a transaction of its own, on a connection of the application's pool. It needs no savepoint, which would
 * cost every run: failed work is rolled back with all of it, and its outcome is written in a second transaction, under the
 * same lock taken anew.
 */
final class OwnTransaction extends JdbcTransaction {

    private static final Duration OWN_LOCK = Duration.ofSeconds(1);
    private static final int LOOKS = 200;

    private final Line line;
    private final Dialect dialect;
    private final Timeouts timeouts;
    private @Nullable Passage passage;
    private @Nullable WorkConnection work;
    private boolean startedOver;

    OwnTransaction(Store store, Line line, Dialect dialect, Timeouts timeouts) {
        super(store, dialect.failures());
        this.line = line;
        this.dialect = dialect;
        this.timeouts = timeouts;
    }

    @Override
    public ClaimAnswer enter(ClaimRequest request) {
        try {
            return entered(request, passage == null ? enterFirst(request) : enterNow(request), session());
        } catch (SQLException e) {
            throw failures().translate("Entering the transaction of " + request.identity(), e, Effect.NONE);
        }
    }

    private Entered enterFirst(ClaimRequest request) throws SQLException {
        try {
            passage = line.take(request);
        } catch (SQLException e) {
            throw StoreException.unavailable("Beginning a transaction: no connection.", Effect.NONE, e);
        }
        var found = passage.entered();
        if (found.isEmpty()) {
            return passage.contested() ? enterPatiently(request) : enterNow(request);
        }
        own().arrive();
        return found.get();
    }

    /**
     * Someone who was slow to commit may have taken our lock for us, and gives it back as soon as it sees that we did not wait. To be told
     * "in progress" by it would be wrong; should it be a twin's, that is told a little later.
     */
    private Entered enterPatiently(ClaimRequest request) throws SQLException {
        long deadline = line.now() + OWN_LOCK.toNanos();
        var found = enterNow(request);
        while (!found.granted() && !found.there() && line.now() - deadline < 0) {
            LockSupport.parkNanos(OWN_LOCK.dividedBy(LOOKS).toNanos());
            found = enterNow(request);
        }
        return found;
    }

    /** Where there is one write lock for all, it may be waited for. */
    private Entered enterNow(ClaimRequest request) throws SQLException {
        if (dialect.manyWriters()) {
            return Entered.own(session(), request);
        }
        return WriteLock.within(timeouts.lock(), failures(), () -> {
            try {
                return Entered.own(session(), request);
            } catch (SQLException e) {
                passage = passage().startOver();
                throw e;
            }
        });
    }

    @Override
    public Connection connection() {
        if (work == null) {
            work = new WorkConnection(own().connection());
            own().guardWith(work.given());
        }
        return work.given();
    }

    @Override
    public void undoWork() {
        try {
            endWork();
            work = null;
            passage = passage().startOver();
            startedOver = true;
        } catch (SQLException e) {
            throw failures().translate("Taking back the work", e, Effect.NONE);
        }
    }

    @Override
    public boolean doomed() {
        return own().doomed();
    }

    @Override
    public WriteAnswer settle(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        if (doomed()) {
            // The work has taken itself back; its answer is an outcome all the same.
            undoWork();
        }
        try {
            if (startedOver) {
                // The lock went with the first transaction: someone else may have come in between.
                startedOver = false;
                if (!isStillOurs(request, acquired, Entered.own(session(), request), session())) {
                    return new Refused(Optional.empty());
                }
            }
            return settling(request, acquired, outcome).write(session(), StillOpen.OWN);
        } catch (SQLException e) {
            throw failures().translate("Settling " + request.identity(), e, Effect.NONE);
        }
    }

    @Override
    public void commit() {
        try {
            own().commit();
        } catch (SQLException e) {
            throw failures().translate("Committing", e, Effect.UNKNOWN);
        }
    }

    @Override
    public WriteAnswer settleAndCommit(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
        var settling = settling(request, acquired, outcome);
        if (own().doomed() || !own().commitsInPipeline() || startedOver || !settling.inOneTrip()) {
            return super.settleAndCommit(request, acquired, outcome);
        }
        boolean asItWas = !frozen() && (work == null || work.traceless());
        var next = asItWas ? line.next(passage()) : null;
        return next == null ? commitAlone(settling) : commitAndHandOn(settling, next);
    }

    private WriteAnswer commitAlone(Settling settling) {
        try {
            settling.writeAndCommit(session());
            own().committed();
            return new Written();
        } catch (SQLException e) {
            return refusedAsDuplicate(settling, e)
                    .orElseThrow(() ->
                            failures().translate("Settling and committing " + settling.identity(), e, Effect.UNKNOWN));
        }
    }

    /** Whatever fails in this trip may have failed after our commit: only a duplicate is certainly ours, and before it. */
    private WriteAnswer commitAndHandOn(Settling settling, Line.Waiter next) {
        try {
            endWork();
            var found = Entered.after(settling, session(), next.request());
            handOn(next, passage().handOn(found));
            return new Written();
        } catch (SQLException e) {
            line.giveBack(next);
            return refusedAsDuplicate(settling, e).orElseThrow(() -> inDoubt(settling, e));
        } catch (RuntimeException | Error e) {
            line.giveBack(next);
            throw e;
        }
    }

    /** It is the next one's from the moment that it is passed. If nobody takes it, it ends here. */
    private void handOn(Line.Waiter next, Passage handed) {
        handed.own().leave();
        if (line.pass(next, handed)) {
            passage = null;
        } else {
            handed.own().arrive();
        }
    }

    /** With what the error would mean if it came before the commit, for when that turns out to be so. */
    private StoreException inDoubt(Settling settling, SQLException error) {
        String doing = "Settling and committing " + settling.identity();
        return StoreException.unavailable(
                doing + " failed.", Effect.UNKNOWN, failures().translate(doing, error, Effect.UNKNOWN));
    }

    /** Ours, or one that the work deferred to the commit? What is there tells. */
    private Optional<WriteAnswer> refusedAsDuplicate(Settling settling, SQLException error) {
        return failures().isDuplicate(error)
                ? outside(settling.request()).map(there -> new Refused(Optional.of(there)))
                : Optional.empty();
    }

    @Override
    public void close() {
        var open = passage;
        if (open == null) {
            return;
        }
        passage = null;
        try {
            endWork();
            open.session().close();
        } catch (SQLException e) {
            // The statements go with their connection.
        }
        open.own().end();
    }

    private void endWork() throws SQLException {
        if (work != null) {
            work.end();
        }
    }

    private Passage passage() {
        return Objects.requireNonNull(passage, "enter() comes first");
    }

    private Session session() {
        return passage().session();
    }

    private OpenTransaction own() {
        return passage().own();
    }
}
