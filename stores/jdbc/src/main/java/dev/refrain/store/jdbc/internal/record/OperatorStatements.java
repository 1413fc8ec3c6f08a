package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.jdbc.internal.record.RecordExplainer.UnexplainedRow;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Queries of operators: attention, resolving, erasing, counting, and the audit trail. */
public final class OperatorStatements {

    private record AttentionPage(Optional<AttentionItem> after, int limit) {}

    private record ScopeCount(String name, long upTo) {}

    private static final ParameterizedScript<AttentionPage> ATTENTION = ParameterizedScript.<AttentionPage>script(
                    "attention")
            .number(
                    "since",
                    p -> p.after()
                            .map(i -> ParameterizedScript.micros(i.since()))
                            .orElse(Long.MIN_VALUE))
            .uuid("lookup", p -> p.after().map(i -> i.claim().lookup().asUuid()).orElse(new UUID(0, 0)))
            .number("limit", AttentionPage::limit);

    private static final ParameterizedScript<Resolution> RESOLVE = ParameterizedScript.<Resolution>script("resolve")
            .uuid("lookup", r -> r.claim().lookup().asUuid())
            .uuid("id", r -> r.claim().id().value())
            .text("id_text", r -> r.claim().id().toString())
            .number("fence", r -> r.claim().fence())
            .number("state", r -> ColumnCodes.of(stateAfter(r.verdict())))
            .number("not_sent", r -> r.verdict() instanceof Resolution.RunAgain ? 1 : 0)
            .bytes(
                    "outcome",
                    r -> r.verdict() instanceof Resolution.Done done ? ColumnCodes.bytes(done.outcome()) : null)
            .flag(
                    "has_outcome",
                    r -> r.verdict() instanceof Resolution.Done done
                            && done.outcome().isPresent())
            .nullableNumber(
                    "retention",
                    r -> r.verdict() instanceof Resolution.Done done
                            ? done.retention().map(ColumnCodes::of).orElse(null)
                            : null)
            .text("action", r -> switch (r.verdict()) {
                case Resolution.Done done -> "resolve: completed";
                case Resolution.RunAgain again -> "resolve: released";
                case Resolution.Resume resume -> "resolve: resumed";
            })
            .note("who", Resolution::who)
            .note("why", Resolution::why);

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

    private OperatorStatements() {}

    public static List<UnfinishedRecord> unfinished(
            SqlSession session, String namespace, Duration longerThan, int limit) throws SQLException {
        return RecordExplainer.complete(
                session,
                session.run(
                        UNFINISHED,
                        new UnfinishedSearch(namespace, longerThan, limit),
                        OperatorStatements::unfinishedRow));
    }

    private static UnexplainedRow<UnfinishedRecord> unfinishedRow(SqlResultRow c) throws SQLException {
        var identity = identity(c);
        var id = new RecordId(c.uuid("id"));
        var state = ColumnCodes.state((int) c.number("state"));
        int attempts = (int) c.number("attempts");
        return RecordExplainer.read(c, explanation -> new UnfinishedRecord(identity, id, state, explanation, attempts));
    }

    private static ScopedKey identity(SqlResultRow c) throws SQLException {
        return new ScopedKey(c.text("scope"), c.text("namespace"), c.text("key"));
    }

    public static List<AttentionItem> attention(SqlSession session, Optional<AttentionItem> after, int limit)
            throws SQLException {
        return RecordExplainer.complete(
                session, session.run(ATTENTION, new AttentionPage(after, limit), OperatorStatements::item));
    }

    public static RecordWriteResponse resolve(SqlSession session, Resolution resolution) throws SQLException {
        var claim = resolution.claim();
        if (!session.atomically(() -> session.run(RESOLVE, resolution, SqlResultRow::lookup))
                .isEmpty()) {
            return new RecordWriteResponse.Written();
        }
        var current = RecordWriter.current(session, List.of(claim)).get(claim.lookup());
        return new RecordWriteResponse.Refused(Optional.ofNullable(current));
    }

    public static List<AuditEntry> audit(SqlSession session, int limit) throws SQLException {
        return session.run(AUDIT, limit, OperatorStatements::auditEntry);
    }

    public static AuditEntry auditEntry(SqlResultRow c) throws SQLException {
        return new AuditEntry(c.instant("at"), c.text("action"), c.text("target"), c.text("who"), c.text("why"));
    }

    public static ErasureResult erase(SqlSession session, ErasureRequest order) throws SQLException {
        var query = ErasureQuery.of(order);
        return session.atomically(() -> {
            var records = session.run(
                            ErasureQuery.ERASE,
                            query,
                            c -> new ErasureResult((int) c.number("erased"), (int) c.number("in_use"), c.flag("more")))
                    .getFirst();
            var messages = related(session, query, ErasureQuery.ERASE_MESSAGES, ErasureQuery.MESSAGES_IN_USE);
            var entries =
                    related(session, query, ErasureQuery.ERASE_LEDGER_ENTRIES, ErasureQuery.LEDGER_ENTRIES_IN_USE);
            if (messages.erased() + entries.erased() > 0) {
                session.run(ERASED_BESIDE, new ErasedBeside(query, messages.erased(), entries.erased()), (r, c) -> {});
            }
            boolean more = records.hasMore() || messages.erased() >= order.limit() || entries.erased() >= order.limit();
            return new ErasureResult(records.erased(), records.leftInUse(), more, messages, entries);
        });
    }

    private static final ParameterizedScript<Boolean> PURGE_LOG = ParameterizedScript.script("purge_log");

    /** Removes erased bytes from the database's log where a statement can do that; returns whether somebody was in the way. */
    public static boolean purgeLog(SqlSession session) throws SQLException {
        return session.run(PURGE_LOG, true, c -> c.number("busy")).stream().anyMatch(busy -> busy != 0);
    }

    private record ErasedBeside(ErasureQuery query, int messages, int entries) {}

    private static final ParameterizedScript<ErasedBeside> ERASED_BESIDE = ParameterizedScript.<ErasedBeside>script(
                    "audit_entry")
            .text("action", e -> "erase: " + e.messages() + " messages, " + e.entries() + " ledger entries")
            .note("target", e -> e.query().redacted())
            .note("who", e -> e.query().order().who())
            .note("why", e -> e.query().order().why());

    private static ErasureResult.RelatedRows related(
            SqlSession session,
            ErasureQuery query,
            ParameterizedScript<ErasureQuery> erase,
            ParameterizedScript<ErasureQuery> inUse)
            throws SQLException {
        int erased = session.run(erase, query, c -> c.number("erased")).size();
        long left = session.run(inUse, query, c -> c.number("in_use")).getFirst();
        return new ErasureResult.RelatedRows(erased, (int) left);
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
                                c.number("expired"),
                                c.optionalDuration("reap_delay"),
                                c.flag("more")))
                .getFirst();
    }

    private static UnexplainedRow<AttentionItem> item(SqlResultRow c) throws SQLException {
        var identity = identity(c);
        var claim = new ClaimRef(c.lookup(), new RecordId(c.uuid("id")), c.number("fence"));
        String reason = c.text("reason");
        var since = c.instant("since");
        var age = Duration.between(since, c.instant("seen_at"));
        return RecordExplainer.read(
                c, explanation -> new AttentionItem(identity, claim, reason, since, age, explanation));
    }

    private static RecordState stateAfter(Resolution.Verdict verdict) {
        return switch (verdict) {
            case Resolution.Done done -> RecordState.COMPLETED;
            case Resolution.RunAgain again -> RecordState.RELEASED;
            case Resolution.Resume resume -> RecordState.RELEASED;
        };
    }
}
