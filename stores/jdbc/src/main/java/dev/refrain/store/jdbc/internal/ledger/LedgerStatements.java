package dev.refrain.store.jdbc.internal.ledger;

import dev.refrain.api.RecordId;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerCheckResult;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.ledger.LedgerReadPass;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Queries of ledgers. */
final class LedgerStatements {

    private static final int NO_FINDING = 0;

    /** Kinds in the order of their stored codes. */
    private static final List<FindingKind> KINDS = List.of(
            FindingKind.ONLY_OURS,
            FindingKind.ONLY_THEIRS,
            FindingKind.AMOUNTS_DIFFER,
            FindingKind.TWICE,
            FindingKind.UNRECORDED);

    record OurEntryRow(String ledger, ExpectedLedgerEntry entry) {}

    record TheirEntryRow(String ledger, ReportedLedgerEntry entry) {}

    record EntryKey(String ledger, String key) {}

    record PassStart(String ledger, Duration reach, Duration overlap) {}

    record PassEnd(String ledger, Instant begun) {}

    record FindingPage(String ledger, Optional<LedgerFinding> after, int limit) {}

    record Dismissal(LedgerFinding finding, String who, String why) {}

    record ReapParameters(String ledger, Duration agreedFor, int limit) {}

    private record JudgedRow(String key, int before, int kind) {}

    static final ParameterizedScript<OurEntryRow> ANNOUNCE = our("ledger_announce");
    static final ParameterizedScript<OurEntryRow> OURS = our("ledger_own_entry");

    static final ParameterizedScript<EntryKey> CONFIRM = named("ledger_confirm");
    static final ParameterizedScript<EntryKey> WITHDRAW = named("ledger_withdraw");

    private static final ParameterizedScript<TheirEntryRow> THEIRS = ParameterizedScript.<TheirEntryRow>script(
                    "ledger_foreign_entry")
            .text("ledger", TheirEntryRow::ledger)
            .note("key", t -> t.entry().key())
            .number("amount", t -> t.entry().amount())
            .note("id", t -> t.entry().id());

    private static final ParameterizedScript<PassStart> BEGIN = ParameterizedScript.<PassStart>script(
                    "ledger_pass_start")
            .text("ledger", PassStart::ledger)
            .duration("reach", PassStart::reach)
            .duration("overlap", PassStart::overlap);

    private static final ParameterizedScript<PassEnd> ENDED = ParameterizedScript.<PassEnd>script("ledger_pass_end")
            .text("ledger", PassEnd::ledger)
            .number("begun", e -> ParameterizedScript.micros(e.begun()));

    private static final ParameterizedScript<LedgerCheckRequest> JUDGE = ParameterizedScript.<LedgerCheckRequest>script(
                    "ledger_compare")
            .text("ledger", LedgerCheckRequest::ledger)
            .duration("settling", LedgerCheckRequest::settling)
            .duration("since_begun", LedgerCheckRequest::sinceBegun)
            .text("after", LedgerCheckRequest::after)
            .number("limit", LedgerCheckRequest::limit);

    private static final ParameterizedScript<FindingPage> FINDINGS = ParameterizedScript.<FindingPage>script(
                    "ledger_findings")
            .text("ledger", FindingPage::ledger)
            .number(
                    "after_at",
                    p -> p.after()
                            .map(f -> ParameterizedScript.micros(f.foundAt()))
                            .orElse(0L))
            .text("after_key", p -> p.after().map(LedgerFinding::key).orElse(""))
            .number("limit", FindingPage::limit);

    private static final ParameterizedScript<Dismissal> DISMISS = ParameterizedScript.<Dismissal>script(
                    "ledger_dismiss")
            .text("ledger", d -> d.finding().ledger())
            .text("key", d -> d.finding().key())
            .number("finding", d -> code(d.finding().kind()))
            .text("action", d -> "dismiss: " + d.finding().kind())
            .note("who", Dismissal::who)
            .note("why", Dismissal::why);

    private static final ParameterizedScript<ReapParameters> REAP = ParameterizedScript.<ReapParameters>script(
                    "ledger_reap_agreed")
            .text("ledger", ReapParameters::ledger)
            .duration("agreed_for", ReapParameters::agreedFor)
            .number("limit", ReapParameters::limit);

    private LedgerStatements() {}

    private static ParameterizedScript<OurEntryRow> our(String script) {
        return ParameterizedScript.<OurEntryRow>script(script)
                .text("ledger", OurEntryRow::ledger)
                .text("key", o -> o.entry().key())
                .uuid(
                        "record_id",
                        o -> o.entry().recordId().map(RecordId::value).orElse(null))
                .text("point", o -> o.entry().point().orElse(null))
                .number("amount", o -> o.entry().amount())
                .text("scope", o -> o.entry().scope().orElse(null))
                .text("subject", o -> o.entry().subject().orElse(null));
    }

    private static ParameterizedScript<EntryKey> named(String script) {
        return ParameterizedScript.<EntryKey>script(script)
                .text("ledger", EntryKey::ledger)
                .text("key", EntryKey::key);
    }

    /** Writes entries in key order, so that two writers of the same keys cannot deadlock. */
    static boolean ours(SqlSession session, String ledger, List<ExpectedLedgerEntry> entries) throws SQLException {
        var sorted = entries.stream()
                .sorted(Comparator.comparing(ExpectedLedgerEntry::key))
                .map(entry -> new OurEntryRow(ledger, entry))
                .toList();
        return session.atomically(
                () -> session.runBatch(OURS, sorted, c -> true).isEmpty());
    }

    static boolean theirs(SqlSession session, String ledger, List<ReportedLedgerEntry> entries) throws SQLException {
        var sorted = entries.stream()
                .sorted(Comparator.comparing(ReportedLedgerEntry::key))
                .map(entry -> new TheirEntryRow(ledger, entry))
                .toList();
        return session.atomically(
                () -> session.runBatch(THEIRS, sorted, c -> true).isEmpty());
    }

    static LedgerReadPass begin(SqlSession session, PassStart span) throws SQLException {
        return session.run(BEGIN, span, c -> new LedgerReadPass(c.instant("begun"), c.instant("since")))
                .getFirst();
    }

    static boolean ended(SqlSession session, PassEnd ended) throws SQLException {
        return session.run(ENDED, ended, c -> true).isEmpty();
    }

    static LedgerCheckResult judge(SqlSession session, LedgerCheckRequest order) throws SQLException {
        var judged = session.atomically(() -> session.run(
                JUDGE, order, c -> new JudgedRow(c.text("key"), (int) c.number("before"), (int) c.number("kind"))));
        var found = new ArrayList<FindingKind>();
        int closed = 0;
        for (var one : judged) {
            if (one.kind() != one.before() && one.kind() != NO_FINDING) {
                found.add(kind(one.kind()));
            }
            closed += one.before() != NO_FINDING && one.kind() == NO_FINDING ? 1 : 0;
        }
        return new LedgerCheckResult(
                found,
                closed,
                judged.isEmpty()
                        ? Optional.empty()
                        : Optional.of(judged.getLast().key()),
                judged.size() == order.limit());
    }

    static List<LedgerFinding> findings(SqlSession session, FindingPage page) throws SQLException {
        return session.run(
                FINDINGS,
                page,
                c -> new LedgerFinding(
                        page.ledger(),
                        c.text("key"),
                        kind((int) c.number("finding")),
                        c.uuidIfAny("record_id").map(RecordId::new),
                        c.textIfAny("point"),
                        c.numberIfAny("ours"),
                        c.numberIfAny("theirs"),
                        c.flag("confirmed"),
                        c.instant("found_at")));
    }

    static boolean dismiss(SqlSession session, Dismissal dismissal) throws SQLException {
        return !session.atomically(() -> session.run(DISMISS, dismissal, c -> c.text("key")))
                .isEmpty();
    }

    static int reap(SqlSession session, ReapParameters order) throws SQLException {
        return session.atomically(() -> session.run(REAP, order, c -> c.number("reaped")))
                .size();
    }

    private static int code(FindingKind kind) {
        return KINDS.indexOf(kind) + 1;
    }

    private static FindingKind kind(int code) {
        return KINDS.get(Objects.checkIndex(code - 1, KINDS.size()));
    }
}
