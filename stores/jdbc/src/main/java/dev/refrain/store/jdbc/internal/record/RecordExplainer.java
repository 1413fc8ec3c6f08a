package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.AttemptHistory;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordView;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads what the script {@code explained} selects, and in a second question the attempts of those records that have any. */
public final class RecordExplainer {

    private static final int REQUEST_BIT = 2;
    private static final int ATTEMPTS_BIT = 16;

    private static final ParameterizedScript<ScopedKey> EXPLAIN = ParameterizedScript.<ScopedKey>script("explain")
            .uuid("lookup", i -> i.hash().asUuid())
            .text("scope", ScopedKey::scope)
            .text("namespace", ScopedKey::namespace)
            .text("key", ScopedKey::key);

    private static final ParameterizedScript<ScopedKey> KEPT_REQUEST =
            ParameterizedScript.<ScopedKey>script("kept_request").include(EXPLAIN, i -> i);

    private static final ParameterizedScript<RecordId> ATTEMPTS =
            ParameterizedScript.<RecordId>script("attempts").uuid("id", RecordId::value);

    /**
     * A row whose attempts are still to be read.
     *
     * @param explanation lacks the attempts
     * @param completion makes of the whole explanation what is asked for
     */
    public record UnexplainedRow<T>(
            RecordId id,
            boolean hasAttempts,
            AttemptHistory history,
            RecordExplanation explanation,
            Function<RecordExplanation, T> completion) {

        private T explained(List<ClaimAttempt> attempts) {
            return completion.apply(new RecordExplanation(
                    explanation.operation(),
                    explanation.caller(),
                    explanation.traceId(),
                    explanation.age(),
                    explanation.recoveryPoint(),
                    explanation.calls(),
                    history.with(attempts)));
        }
    }

    private record AttemptRow(RecordId id, ClaimAttempt attempt) {}

    private RecordExplainer() {}

    /** Reads the request that the record's claim kept for people. */
    public static Optional<Payload> keptRequest(SqlSession session, ScopedKey identity) throws SQLException {
        return session.run(KEPT_REQUEST, identity, c -> c.payload("bytes")).stream()
                .findFirst()
                .flatMap(kept -> kept);
    }

    public static Optional<RecordExplanation> explain(SqlSession session, ScopedKey identity) throws SQLException {
        return complete(session, session.run(EXPLAIN, identity, c -> read(c, Function.identity()))).stream()
                .findFirst();
    }

    /** Reads the attempts of these rows, in their order. */
    public static <T> List<T> complete(SqlSession session, List<UnexplainedRow<T>> rows) throws SQLException {
        var retried = rows.stream()
                .filter(UnexplainedRow::hasAttempts)
                .map(UnexplainedRow::id)
                .toList();
        Map<RecordId, List<ClaimAttempt>> attempts = new HashMap<>();
        for (var row : session.runBatch(ATTEMPTS, retried, RecordExplainer::attempt)) {
            attempts.computeIfAbsent(row.id(), id -> new ArrayList<>()).add(row.attempt());
        }
        return rows.stream()
                .map(row -> row.explained(attempts.getOrDefault(row.id(), List.of())))
                .toList();
    }

    public static <T> UnexplainedRow<T> read(SqlResultRow c, Function<RecordExplanation, T> completion)
            throws SQLException {
        var id = new RecordId(c.uuid("id"));
        long parts = c.number("parts");
        var claimed = c.instant("claimed_at");
        var seen = c.instant("seen_at");
        var traceId = traceId(c);
        var history = new AttemptHistory(
                c.number("fence"),
                ColumnCodes.state((int) c.number("state")),
                claimed,
                traceId,
                c.momentIfAny("completed_at"),
                c.momentIfAny("lease_until"),
                attention(c),
                seen);
        var explanation = new RecordExplanation(
                c.textIfAny("operation"),
                c.textIfAny("caller"),
                traceId,
                Duration.between(claimed, seen).plus(ParameterizedScript.durationOfMicros(c.number("set_back"))),
                recoveryPoint(c),
                calls(c, id, parts),
                List.of());
        return new UnexplainedRow<>(id, (parts & ATTEMPTS_BIT) != 0, history, explanation, completion);
    }

    public static Optional<RecordView.AttentionReason> attention(SqlResultRow c) throws SQLException {
        Optional<Instant> since = c.momentIfAny("since");
        return c.textIfAny("reason").flatMap(why -> since.map(at -> new RecordView.AttentionReason(why, at)));
    }

    private static Optional<RecoveryPoint> recoveryPoint(SqlResultRow c) throws SQLException {
        return c.textIfAny("recovery_point").map(ColumnCodes::recoveryPoint);
    }

    /** A flow announces each call; what a leased operation sends is known only by the steps that it has asked keys for. */
    private static List<AnnouncedCall> calls(SqlResultRow c, RecordId id, long parts) throws SQLException {
        var point = recoveryPoint(c);
        if (point.isPresent() || (parts & REQUEST_BIT) != 0) {
            return AnnouncedCall.ofFlow(
                    id, point.orElse(null), c.momentIfAny("call_announced_at").orElse(null));
        }
        return AnnouncedCall.ofSteps(
                id, c.textIfAny("steps").stream().flatMap(String::lines).toList());
    }

    private static Optional<TraceId> traceId(SqlResultRow c) throws SQLException {
        return c.uuidIfAny("trace_id")
                .map(id -> new TraceId(id.getMostSignificantBits(), id.getLeastSignificantBits()));
    }

    private static AttemptRow attempt(SqlResultRow c) throws SQLException {
        return new AttemptRow(
                new RecordId(c.uuid("record_id")),
                new ClaimAttempt(
                        c.number("fence"),
                        c.textIfAny("instance"),
                        traceId(c),
                        c.momentIfAny("began_at"),
                        c.momentIfAny("ended_at"),
                        c.textIfAny("end_reason")));
    }
}
