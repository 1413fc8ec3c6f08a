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
 * @param frozen whether the transaction reads by a snapshot that may be older than the lock
 * @param there whether there was a record after the lock
 */
record Entered(boolean granted, boolean frozen, boolean there) {

    private static final Question<ClaimRequest> OWN = entering("enter");
    private static final Question<ClaimRequest> CHAINED = entering("enter_chained");

    static Entered own(Session session, ClaimRequest request) throws SQLException {
        var reading = new Reading();
        session.askOne(OWN, request, reading);
        return reading.entered();
    }

    /** @param savepoint the number of the one to set */
    static Entered joined(Session session, ClaimRequest request, long savepoint) throws SQLException {
        var reading = new Reading();
        session.askOne(entering("enter_joined#" + savepoint), request, reading);
        return reading.entered();
    }

    /** Settles and commits one transaction, begins the next and enters it, in one round trip. Not for frozen ones. */
    static Entered after(Settling settling, Session session, ClaimRequest next) throws SQLException {
        var reading = new Reading();
        session.askBoth(Settling.CHAIN, settling, CHAINED, next, reading);
        return reading.entered();
    }

    /** The record, expired ones included; another identity's is refused. */
    Optional<StoredRecord> record(Session session, ClaimRequest request) throws SQLException {
        if (!there) {
            return Optional.empty();
        }
        var rows = session.ask(Claiming.FIND, List.of(request), Seen::read);
        rows.forEach(row -> row.of(request.identity()));
        return rows.stream().flatMap(row -> row.record().stream()).findFirst();
    }

    private static Question<ClaimRequest> entering(String script) {
        return Question.<ClaimRequest>named(script)
                .from(Claiming.CLAIM, r -> r)
                .number("lock", r -> r.lookup().low() ^ Scripts.LOCK_SPACE);
    }

    /** Two results: the lock, and what was there after it. */
    private static final class Reading implements Session.Each {
        private boolean granted;
        private boolean frozen;
        private boolean there;

        @Override
        public void row(int result, Columns columns) throws SQLException {
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
