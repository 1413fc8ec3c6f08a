package dev.refrain.store.jdbc;

import dev.refrain.key.RecordId;
import dev.refrain.store.ledger.Finding;
import dev.refrain.store.ledger.Finding.Kind;
import dev.refrain.store.ledger.Judged;
import dev.refrain.store.ledger.Judging;
import dev.refrain.store.ledger.OurEntry;
import dev.refrain.store.ledger.Pass;
import dev.refrain.store.ledger.TheirEntry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What is asked about ledgers. */
final class Ledgering {

    private static final int NO_FINDING = 0;

    /** As they are stored. */
    private static final List<Kind> KINDS =
            List.of(Kind.ONLY_OURS, Kind.ONLY_THEIRS, Kind.AMOUNTS_DIFFER, Kind.TWICE, Kind.UNRECORDED);

    record Ours(String ledger, OurEntry entry) {}

    record Theirs(String ledger, TheirEntry entry) {}

    record Named(String ledger, String key) {}

    record Span(String ledger, Duration reach, Duration overlap) {}

    record Ended(String ledger, Instant begun) {}

    record Page(String ledger, Optional<Finding> after, int limit) {}

    record Dismissal(Finding finding, String who, String why) {}

    record Reaping(String ledger, Duration agreedFor, int limit) {}

    private record Changed(String key, int before, int kind) {}

    static final Question<Ours> ANNOUNCE = our("ledger_announce");
    static final Question<Ours> OURS = our("ledger_ours");

    static final Question<Named> CONFIRM = named("ledger_confirm");
    static final Question<Named> WITHDRAW = named("ledger_withdraw");

    private static final Question<Theirs> THEIRS = Question.<Theirs>script("ledger_theirs")
            .text("ledger", Theirs::ledger)
            .text("key", t -> t.entry().key())
            .number("amount", t -> t.entry().amount())
            .text("id", t -> t.entry().id());

    private static final Question<Span> BEGIN = Question.<Span>script("ledger_begin")
            .text("ledger", Span::ledger)
            .duration("reach", Span::reach)
            .duration("overlap", Span::overlap);

    private static final Question<Ended> ENDED =
            Question.<Ended>script("ledger_ended").text("ledger", Ended::ledger).number("begun", e -> micros(e.begun()));

    private static final Question<Judging> JUDGE = Question.<Judging>script("ledger_judge")
            .text("ledger", Judging::ledger)
            .duration("settling", Judging::settling)
            .duration("since_begun", Judging::sinceBegun)
            .text("after", Judging::after)
            .number("limit", Judging::limit);

    private static final Question<Page> FINDINGS = Question.<Page>script("ledger_findings")
            .text("ledger", Page::ledger)
            .number("after_at", p -> p.after().map(f -> micros(f.foundAt())).orElse(0L))
            .text("after_key", p -> p.after().map(Finding::key).orElse(""))
            .number("limit", Page::limit);

    private static final Question<Dismissal> DISMISS = Question.<Dismissal>script("ledger_dismiss")
            .text("ledger", d -> d.finding().ledger())
            .text("key", d -> d.finding().key())
            .number("finding", d -> code(d.finding().kind()))
            .text("action", d -> "dismiss: " + d.finding().kind())
            .text("who", Dismissal::who)
            .text("why", Dismissal::why);

    private static final Question<Reaping> REAP = Question.<Reaping>script("ledger_reap")
            .text("ledger", Reaping::ledger)
            .duration("agreed_for", Reaping::agreedFor)
            .number("limit", Reaping::limit);

    private Ledgering() {}

    private static Question<Ours> our(String script) {
        return Question.<Ours>script(script)
                .text("ledger", Ours::ledger)
                .text("key", o -> o.entry().key())
                .uuid(
                        "record_id",
                        o -> o.entry().recordId().map(RecordId::value).orElse(null))
                .text("point", o -> o.entry().point().orElse(null))
                .number("amount", o -> o.entry().amount());
    }

    private static Question<Named> named(String script) {
        return Question.<Named>script(script).text("ledger", Named::ledger).text("key", Named::key);
    }

    /** In the order of keys, so that two who write the same ones do not wait for each other in a circle. */
    static boolean ours(Session session, String ledger, List<OurEntry> entries) throws SQLException {
        var sorted = entries.stream()
                .sorted(Comparator.comparing(OurEntry::key))
                .map(entry -> new Ours(ledger, entry))
                .toList();
        return session.atomically(() -> session.runBatch(OURS, sorted, c -> true).isEmpty());
    }

    static boolean theirs(Session session, String ledger, List<TheirEntry> entries) throws SQLException {
        var sorted = entries.stream()
                .sorted(Comparator.comparing(TheirEntry::key))
                .map(entry -> new Theirs(ledger, entry))
                .toList();
        return session.atomically(() -> session.runBatch(THEIRS, sorted, c -> true).isEmpty());
    }

    static Pass begin(Session session, Span span) throws SQLException {
        return session.run(BEGIN, span, c -> new Pass(c.instant("begun"), c.instant("since")))
                .getFirst();
    }

    static boolean ended(Session session, Ended ended) throws SQLException {
        return session.run(ENDED, ended, c -> true).isEmpty();
    }

    static Judged judge(Session session, Judging order) throws SQLException {
        var judged = session.atomically(() -> session.run(
                JUDGE, order, c -> new Changed(c.text("key"), (int) c.number("before"), (int) c.number("kind"))));
        var found = new ArrayList<Kind>();
        int closed = 0;
        for (var one : judged) {
            if (one.kind() != one.before() && one.kind() != NO_FINDING) {
                found.add(kind(one.kind()));
            }
            closed += one.before() != NO_FINDING && one.kind() == NO_FINDING ? 1 : 0;
        }
        return new Judged(
                found,
                closed,
                judged.isEmpty()
                        ? Optional.empty()
                        : Optional.of(judged.getLast().key()),
                judged.size() == order.limit());
    }

    static List<Finding> findings(Session session, Page page) throws SQLException {
        return session.run(
                FINDINGS,
                page,
                c -> new Finding(
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

    static boolean dismiss(Session session, Dismissal dismissal) throws SQLException {
        return !session.atomically(() -> session.run(DISMISS, dismissal, c -> c.text("key")))
                .isEmpty();
    }

    static int reap(Session session, Reaping order) throws SQLException {
        return session.atomically(() -> session.run(REAP, order, c -> (int) c.number("reaped")))
                .getFirst();
    }

    private static int code(Kind kind) {
        return KINDS.indexOf(kind) + 1;
    }

    private static Kind kind(int code) {
        return KINDS.get(Objects.checkIndex(code - 1, KINDS.size()));
    }

    private static long micros(Instant moment) {
        return Instant.EPOCH.until(moment, ChronoUnit.MICROS);
    }
}
