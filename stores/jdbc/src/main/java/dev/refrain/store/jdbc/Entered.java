package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What entering a transaction found.
 *
 * @param granted whether the key's lock is ours
 * @param frozen whether the transaction reads by a snapshot that may be older than the lock
 * @param rows what was read after the lock: one record, or none
 */
record Entered(boolean granted, boolean frozen, List<Seen> rows) {

    private static final Question<ClaimRequest> OWN = entering("enter");
    private static final Question<ClaimRequest> JOINED = entering("enter_joined");

    static Entered by(Session session, ClaimRequest request, boolean own) throws SQLException {
        var reading = new Reading();
        session.askOne(own ? OWN : JOINED, request, reading);
        return new Entered(
                reading.granted,
                reading.frozen,
                reading.unread ? session.ask(Claiming.FIND, List.of(request), Seen::read) : reading.rows);
    }

    /** The record, expired ones included; another identity's is refused. */
    Optional<StoredRecord> found(Identity identity) {
        rows.forEach(row -> row.of(identity));
        return rows.stream().flatMap(row -> row.record().stream()).findFirst();
    }

    private static Question<ClaimRequest> entering(String script) {
        return Question.<ClaimRequest>named(script)
                .from(Claiming.CLAIM, r -> r)
                .number("lock", r -> r.lookup().low() ^ Scripts.LOCK_SPACE);
    }

    /** Two results: the lock, and what was read after it. */
    private static final class Reading implements Session.Each {
        private boolean granted;
        private boolean frozen;
        private boolean unread;
        private final List<Seen> rows = new ArrayList<>();

        @Override
        public void row(int result, Columns columns) throws SQLException {
            if (result == 0) {
                granted = columns.flag("granted");
                frozen = columns.flag("frozen");
            } else {
                unread = columns.flag("unread");
                rows.add(Seen.read(columns));
            }
        }
    }
}
