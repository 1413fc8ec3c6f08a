package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Statements of the background workers: settle or resume abandoned records, delete expired ones. */
public final class RecordMaintenance {

    private record SweepParameters(Duration grace, int limit) {}

    private static final ParameterizedScript<SweepParameters> SWEEP = ParameterizedScript.<SweepParameters>script(
                    "sweep")
            .duration("grace", SweepParameters::grace)
            .number("limit", SweepParameters::limit);

    private static final ParameterizedScript<Integer> REAP =
            ParameterizedScript.<Integer>script("reap").number("limit", limit -> limit);

    private static final ParameterizedScript<StoredRecord> REAP_ONE = ParameterizedScript.<StoredRecord>script(
                    "reap_one")
            .uuid("lookup", record -> record.lookup().asUuid())
            .uuid("id", record -> record.id().value());

    private static final ParameterizedScript<Boolean> REAP_WAITERS = ParameterizedScript.script("waiter_reap");

    private static final ParameterizedScript<AbandonedRecordSearch> TAKE_UP =
            ParameterizedScript.<AbandonedRecordSearch>script("poll_abandoned")
                    .text("namespace", AbandonedRecordSearch::namespace)
                    .duration("grace", AbandonedRecordSearch::gracePeriod)
                    .duration("pause", AbandonedRecordSearch::firstBackoff)
                    .duration("longest", order -> AbandonedRecordSearch.LONGEST_PAUSE)
                    .number("attempts", AbandonedRecordSearch::maxAttempts)
                    .number("limit", AbandonedRecordSearch::limit);

    private static final ParameterizedScript<AbandonedRecord> UNCOUNT = ParameterizedScript.<AbandonedRecord>script(
                    "uncount_attempt")
            .uuid("id", unattempted -> unattempted.id().value())
            .number("attempt", AbandonedRecord::attempt);

    /** Examined record: abandoned, moved to attention, or neither. */
    private record AbandonedWorkRow(Optional<AbandonedRecord> abandoned, Optional<EscalatedRecord> givenUp) {}

    /** Row of a sweep: its counts, and one of the records that it moved to attention. */
    private record SweptRow(int released, int held, boolean more, Optional<EscalatedRecord> escalated) {}

    private RecordMaintenance() {}

    public static SweepResult sweep(SqlSession session, Duration grace, int limit) throws SQLException {
        StoreClockNotes.take(session);
        var rows = session.atomically(() -> session.run(
                SWEEP,
                new SweepParameters(grace, limit),
                c -> new SweptRow(
                        (int) c.number("released"),
                        (int) c.number("held"),
                        c.flag("more"),
                        c.uuidIfAny("id").isPresent() ? Optional.of(escalated(c)) : Optional.empty())));
        var counts = rows.getFirst();
        return new SweepResult(
                counts.released(),
                counts.held(),
                counts.more(),
                rows.stream().flatMap(row -> row.escalated().stream()).toList());
    }

    public static AbandonedRecordPage takeUp(SqlSession session, AbandonedRecordSearch order) throws SQLException {
        StoreClockNotes.take(session);
        var looked = session.atomically(() -> session.run(
                TAKE_UP,
                order,
                c -> new AbandonedWorkRow(
                        c.flag("taken") ? Optional.of(abandoned(c)) : Optional.empty(),
                        c.flag("worn") ? Optional.of(escalated(c)) : Optional.empty())));
        var givenUp = looked.stream().flatMap(one -> one.givenUp().stream()).toList();
        return new AbandonedRecordPage(
                looked.stream().flatMap(one -> one.abandoned().stream()).toList(),
                givenUp.size(),
                looked.size() == order.limit(),
                givenUp);
    }

    /** Takes back an attempt whose work never began, unless the record was polled again since. */
    public static void uncountAttempt(SqlSession session, AbandonedRecord unattempted) throws SQLException {
        session.atomically(() -> session.run(UNCOUNT, unattempted, row -> true));
    }

    private static AbandonedRecord abandoned(SqlResultRow c) throws SQLException {
        return new AbandonedRecord(
                identity(c),
                new RecordId(c.uuid("id")),
                Fingerprint.stored(c.text("recipe"), Objects.requireNonNull(c.bytesIfAny("fingerprint"))),
                (int) c.number("attempt"));
    }

    private static EscalatedRecord escalated(SqlResultRow c) throws SQLException {
        return new EscalatedRecord(c.textIfAny("operation"), identity(c), new RecordId(c.uuid("id")));
    }

    private static ScopedKey identity(SqlResultRow c) throws SQLException {
        return new ScopedKey(c.text("scope"), c.text("namespace"), c.text("key"));
    }

    /** Removes registrations of waiters that are gone. */
    public static void reapWaiters(SqlSession session) throws SQLException {
        if (session.dialect().supportsNotifications()) {
            session.run(REAP_WAITERS, true, row -> true);
        }
    }

    public static int reap(SqlSession session, int limit) throws SQLException {
        return session.atomically(() -> session.run(REAP, limit, c -> (int) c.number("reaped")))
                .getFirst();
    }

    /** Reaps a record that was seen expired; returns false if it is another one now, or held by somebody. Not on SQLite. */
    public static boolean reapOne(SqlSession session, StoredRecord expired) throws SQLException {
        return session.run(REAP_ONE, expired, c -> c.number("reaped")).getFirst() > 0;
    }
}
