package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordBatch;
import dev.refrain.store.AbandonedRecordPoll;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.SweepResult;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** What the workers do: settle or take up what was abandoned, delete what is over. */
public final class RecordMaintenance {

    private record SweepParameters(Duration grace, int limit) {}

    private static final ParameterizedScript<SweepParameters> SWEEP = ParameterizedScript.<SweepParameters>script(
                    "sweep")
            .duration("grace", SweepParameters::grace)
            .number("limit", SweepParameters::limit);

    private static final ParameterizedScript<Integer> REAP =
            ParameterizedScript.<Integer>script("reap").number("limit", limit -> limit);

    private static final ParameterizedScript<AbandonedRecordPoll> TAKE_UP =
            ParameterizedScript.<AbandonedRecordPoll>script("take_up")
                    .text("namespace", AbandonedRecordPoll::namespace)
                    .duration("grace", AbandonedRecordPoll::gracePeriod)
                    .duration("pause", AbandonedRecordPoll::firstBackoff)
                    .duration("longest", order -> AbandonedRecordPoll.LONGEST_PAUSE)
                    .number("attempts", AbandonedRecordPoll::maxAttempts)
                    .number("limit", AbandonedRecordPoll::limit);

    /** One that was looked at: found to be abandoned, given up, or neither. */
    private record AbandonedWorkRow(Optional<AbandonedRecord> abandoned, boolean givenUp) {}

    private RecordMaintenance() {}

    public static SweepResult sweep(SqlSession session, Duration grace, int limit) throws SQLException {
        return session.atomically(() -> session.run(
                        SWEEP,
                        new SweepParameters(grace, limit),
                        c -> new SweepResult((int) c.number("released"), (int) c.number("held"), c.flag("more"))))
                .getFirst();
    }

    public static AbandonedRecordBatch takeUp(SqlSession session, AbandonedRecordPoll order) throws SQLException {
        var looked = session.atomically(() -> session.run(
                TAKE_UP,
                order,
                c -> new AbandonedWorkRow(
                        c.flag("taken") ? Optional.of(abandoned(c)) : Optional.empty(), c.flag("worn"))));
        return new AbandonedRecordBatch(
                looked.stream().flatMap(one -> one.abandoned().stream()).toList(),
                (int) looked.stream().filter(AbandonedWorkRow::givenUp).count(),
                looked.size() == order.limit());
    }

    private static AbandonedRecord abandoned(ResultRow c) throws SQLException {
        return new AbandonedRecord(
                new ScopedKey(c.text("scope"), c.text("namespace"), c.text("key")),
                new RecordId(c.uuid("id")),
                Fingerprint.stored(c.text("recipe"), Objects.requireNonNull(c.bytesIfAny("fingerprint"))),
                (int) c.number("attempt"));
    }

    public static int reap(SqlSession session, int limit) throws SQLException {
        return session.atomically(() -> session.run(REAP, limit, c -> (int) c.number("reaped")))
                .getFirst();
    }
}
