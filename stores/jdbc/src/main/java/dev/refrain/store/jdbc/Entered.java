package dev.refrain.store.jdbc;

import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * What entering a transaction found.
 *
 * @param granted whether the key's lock is ours
 * @param fixedSnapshot whether the transaction reads by a snapshot that may be older than the lock
 * @param recordExists whether there was a record after the lock
 */
record Entered(boolean granted, boolean fixedSnapshot, boolean recordExists) {

    private static final Question<ClaimRequest> OWN = entering("enter");
    private static final Question<ClaimRequest> CHAINED = entering("enter_chained");

    static Entered lockStandalone(Session session, ClaimRequest request) throws SQLException {
        var reading = new Reading();
        session.run(OWN, request, reading);
        return reading.entered();
    }

    /** @param savepoint the number of the one to set */
    static Entered lockJoined(Session session, ClaimRequest request, long savepoint) throws SQLException {
        var reading = new Reading();
        session.run(entering("enter_joined#" + savepoint), request, reading);
        return reading.entered();
    }

    /** Settles and commits one transaction, begins the next and enters it, in one round trip. Not for frozen ones. */
    static Entered lockAfterCommit(Settling settling, Session session, ClaimRequest next) throws SQLException {
        var reading = new Reading();
        session.runBoth(Settling.CHAIN, settling, CHAINED, next, reading);
        return reading.entered();
    }

    /** The record, expired ones included; another identity's is refused. */
    Optional<StoredRecord> record(Session session, ClaimRequest request) throws SQLException {
        if (!recordExists) {
            return Optional.empty();
        }
        var rows = session.runBatch(Claiming.FIND, List.of(request), Seen::read);
        rows.forEach(row -> row.liveRecordOf(request.identity()));
        return rows.stream().flatMap(row -> row.record().stream()).findFirst();
    }

    private static Question<ClaimRequest> entering(String script) {
        return Question.<ClaimRequest>script(script)
                .include(Claiming.CLAIM, r -> r)
                .number("lock", r -> r.lookup().low() ^ Scripts.LOCK_SPACE);
    }

    /** Two results: the lock, and what was there after it. */
    private static final class Reading implements Session.Each {
        private boolean granted;
        private boolean frozen;
        private boolean there;

        @Override
        public void handle(int result, Columns columns) throws SQLException {
            if (result == 0) {
                granted = columns.flag("granted");
                frozen = columns.flag("frozen");
            } else {
                there = true;
            }
        }

        Entered entered() {
            return new Entered(granted, frozen, there);
        }
    }
}
