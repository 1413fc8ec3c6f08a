package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordState;
import dev.refrain.store.Resolution;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.ResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What operators ask for: what waits for a decision, deciding it, erasing, counting, and the trail of all that. */
public final class OperatorQueries {

    private record AttentionPage(Optional<AttentionItem> after, int limit) {}

    private record ScopeCount(String name, long upTo) {}

    private static final ParameterizedScript<AttentionPage> ATTENTION = ParameterizedScript.<AttentionPage>script(
                    "attention")
            .number("since", p -> p.after().map(i -> micros(i.since())).orElse(Long.MIN_VALUE))
            .uuid("lookup", p -> p.after().map(i -> i.claim().lookup().asUuid()).orElse(new UUID(0, 0)))
            .number("limit", AttentionPage::limit);

    private static final ParameterizedScript<Resolution> RESOLVE = ParameterizedScript.<Resolution>script("resolve")
            .uuid("lookup", r -> r.claim().lookup().asUuid())
            .uuid("id", r -> r.claim().id().value())
            .text("id_text", r -> r.claim().id().toString())
            .number("fence", r -> r.claim().fence())
            .number("state", r -> ColumnCodes.of(stateAfter(r.verdict())))
            .bytes(
                    "outcome",
                    r -> r.verdict() instanceof Resolution.Done done ? ColumnCodes.bytes(done.outcome()) : null)
            .nullableNumber(
                    "retention",
                    r -> r.verdict() instanceof Resolution.Done done
                            ? done.retention().map(ColumnCodes::of).orElse(null)
                            : null)
            .text("action", r -> switch (r.verdict()) {
                case Resolution.Done done -> "resolve: completed";
                case Resolution.RunAgain again -> "resolve: released";
            })
            .text("who", Resolution::who)
            .text("why", Resolution::why);

    private static final ParameterizedScript<Integer> AUDIT =
            ParameterizedScript.<Integer>script("audit").number("limit", limit -> limit);

    private static final ParameterizedScript<ScopeCount> COUNT = ParameterizedScript.<ScopeCount>script("count")
            .uuid(
                    "first",
                    s -> ScopedKey.anyHashOfScope(s.name()).firstOfScope().asUuid())
            .uuid("last", s -> ScopedKey.anyHashOfScope(s.name()).lastOfScope().asUuid())
            .text("scope", ScopeCount::name)
            .number("up_to", ScopeCount::upTo);

    private static final ParameterizedScript<Integer> CENSUS =
            ParameterizedScript.<Integer>script("census").number("limit", limit -> limit);

    private record UnfinishedSearch(String namespace, Duration longerThan, int limit) {}

    private static final ParameterizedScript<UnfinishedSearch> UNFINISHED =
            ParameterizedScript.<UnfinishedSearch>script("unfinished")
                    .text("namespace", UnfinishedSearch::namespace)
                    .duration("longer_than", UnfinishedSearch::longerThan)
                    .number("limit", UnfinishedSearch::limit);

    private OperatorQueries() {}

    public static List<UnfinishedRecord> unfinished(
            SqlSession session, String namespace, Duration longerThan, int limit) throws SQLException {
        return session.run(
                UNFINISHED,
                new UnfinishedSearch(namespace, longerThan, limit),
                c -> new UnfinishedRecord(
                        new ScopedKey(c.text("scope"), c.text("namespace"), c.text("key")),
                        new RecordId(c.uuid("id")),
                        ColumnCodes.state((int) c.number("state")),
                        c.textIfAny("recovery_point"),
                        c.optionalDuration("age").orElseThrow(),
                        (int) c.number("attempts")));
    }

    public static List<AttentionItem> attention(SqlSession session, Optional<AttentionItem> after, int limit)
            throws SQLException {
        return session.run(ATTENTION, new AttentionPage(after, limit), OperatorQueries::item);
    }

    public static WriteResponse resolve(SqlSession session, Resolution resolution) throws SQLException {
        var claim = resolution.claim();
        if (!session.atomically(() -> session.run(RESOLVE, resolution, ResultRow::lookup))
                .isEmpty()) {
            return new WriteResponse.Written();
        }
        var current = RecordWriter.current(session, List.of(claim)).get(claim.lookup());
        return new WriteResponse.Refused(Optional.ofNullable(current));
    }

    public static List<AuditEntry> audit(SqlSession session, int limit) throws SQLException {
        return session.run(AUDIT, limit, OperatorQueries::auditEntry);
    }

    public static AuditEntry auditEntry(ResultRow c) throws SQLException {
        return new AuditEntry(c.instant("at"), c.text("action"), c.text("target"), c.text("who"), c.text("why"));
    }

    public static ErasureResult erase(SqlSession session, ErasureRequest order) throws SQLException {
        return session.atomically(() -> session.run(
                        ErasureQuery.ERASE,
                        ErasureQuery.of(order),
                        c -> new ErasureResult((int) c.number("erased"), (int) c.number("in_use"), c.flag("more"))))
                .getFirst();
    }

    public static long count(SqlSession session, String scope, long upTo) throws SQLException {
        return session.run(COUNT, new ScopeCount(scope, upTo), c -> c.number("found"))
                .getFirst();
    }

    public static UnsettledCounts census(SqlSession session, int limit) throws SQLException {
        return session.run(
                        CENSUS,
                        limit,
                        c -> new UnsettledCounts(
                                c.number("in_progress"),
                                c.number("lease_over"),
                                c.number("attention"),
                                c.optionalDuration("oldest"),
                                c.flag("more")))
                .getFirst();
    }

    private static AttentionItem item(ResultRow c) throws SQLException {
        return new AttentionItem(
                new ScopedKey(c.text("scope"), c.text("namespace"), c.text("key")),
                new ClaimRef(c.lookup(), new RecordId(c.uuid("record_id")), c.number("fence")),
                c.text("reason"),
                c.instant("since"),
                c.optionalDuration("age").orElseThrow());
    }

    private static RecordState stateAfter(Resolution.Verdict verdict) {
        return switch (verdict) {
            case Resolution.Done done -> RecordState.COMPLETED;
            case Resolution.RunAgain again -> RecordState.RELEASED;
        };
    }

    public static long micros(Instant moment) {
        return Instant.EPOCH.until(moment, ChronoUnit.MICROS);
    }
}
