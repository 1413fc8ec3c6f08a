package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.Census;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.Unfinished;
import dev.refrain.store.WriteAnswer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What operators ask for: what waits for a decision, deciding it, erasing, counting, and the trail of all that. */
final class Operating {

    private record Page(Optional<AttentionItem> after, int limit) {}

    private record Scope(String name, long upTo) {}

    private static final Question<Page> ATTENTION = Question.<Page>script("attention")
            .number("since", p -> p.after().map(i -> micros(i.since())).orElse(Long.MIN_VALUE))
            .uuid("lookup", p -> p.after().map(i -> i.claim().lookup().asUuid()).orElse(new UUID(0, 0)))
            .number("limit", Page::limit);

    private static final Question<Resolution> RESOLVE = Question.<Resolution>script("resolve")
            .uuid("lookup", r -> r.claim().lookup().asUuid())
            .uuid("id", r -> r.claim().id().value())
            .text("id_text", r -> r.claim().id().toString())
            .number("fence", r -> r.claim().fence())
            .number("state", r -> Codes.of(stateAfter(r.verdict())))
            .bytes("outcome", r -> r.verdict() instanceof Resolution.Done done ? Codes.bytes(done.outcome()) : null)
            .nullableNumber(
                    "retention",
                    r -> r.verdict() instanceof Resolution.Done done
                            ? done.retention().map(Codes::of).orElse(null)
                            : null)
            .text("action", r -> switch (r.verdict()) {
                case Resolution.Done done -> "resolve: completed";
                case Resolution.RunAgain again -> "resolve: released";
            })
            .text("who", Resolution::who)
            .text("why", Resolution::why);

    private static final Question<Integer> AUDIT =
            Question.<Integer>script("audit").number("limit", limit -> limit);

    private static final Question<Scope> COUNT = Question.<Scope>script("count")
            .uuid("first", s -> Identity.anyHashOfScope(s.name()).firstOfScope().asUuid())
            .uuid("last", s -> Identity.anyHashOfScope(s.name()).lastOfScope().asUuid())
            .text("scope", Scope::name)
            .number("up_to", Scope::upTo);

    private static final Question<Integer> CENSUS =
            Question.<Integer>script("census").number("limit", limit -> limit);

    private record Search(String namespace, Duration longerThan, int limit) {}

    private static final Question<Search> UNFINISHED = Question.<Search>script("unfinished")
            .text("namespace", Search::namespace)
            .duration("longer_than", Search::longerThan)
            .number("limit", Search::limit);

    private Operating() {}

    static List<Unfinished> unfinished(Session session, String namespace, Duration longerThan, int limit)
            throws SQLException {
        return session.run(
                UNFINISHED,
                new Search(namespace, longerThan, limit),
                c -> new Unfinished(
                        new Identity(c.text("scope"), c.text("namespace"), c.text("key")),
                        new RecordId(c.uuid("id")),
                        Codes.state((int) c.number("state")),
                        c.textIfAny("recovery_point"),
                        c.optionalDuration("age").orElseThrow(),
                        (int) c.number("attempts")));
    }

    static List<AttentionItem> attention(Session session, Optional<AttentionItem> after, int limit)
            throws SQLException {
        return session.run(ATTENTION, new Page(after, limit), Operating::item);
    }

    static WriteAnswer resolve(Session session, Resolution resolution) throws SQLException {
        var claim = resolution.claim();
        if (!session.atomically(() -> session.run(RESOLVE, resolution, Columns::lookup))
                .isEmpty()) {
            return new WriteAnswer.Written();
        }
        var current = Writing.current(session, List.of(claim)).get(claim.lookup());
        return new WriteAnswer.Refused(Optional.ofNullable(current));
    }

    static List<AuditEntry> audit(Session session, int limit) throws SQLException {
        return session.run(AUDIT, limit, Operating::auditEntry);
    }

    static AuditEntry auditEntry(Columns c) throws SQLException {
        return new AuditEntry(c.instant("at"), c.text("action"), c.text("target"), c.text("who"), c.text("why"));
    }

    static Erased erase(Session session, ErasureOrder order) throws SQLException {
        return session.atomically(() -> session.run(
                        Erasure.ERASE,
                        Erasure.of(order),
                        c -> new Erased((int) c.number("erased"), (int) c.number("in_use"), c.flag("more"))))
                .getFirst();
    }

    static long count(Session session, String scope, long upTo) throws SQLException {
        return session.run(COUNT, new Scope(scope, upTo), c -> c.number("found"))
                .getFirst();
    }

    static Census census(Session session, int limit) throws SQLException {
        return session.run(
                        CENSUS,
                        limit,
                        c -> new Census(
                                c.number("in_progress"),
                                c.number("lease_over"),
                                c.number("attention"),
                                c.optionalDuration("oldest"),
                                c.flag("more")))
                .getFirst();
    }

    private static AttentionItem item(Columns c) throws SQLException {
        return new AttentionItem(
                new Identity(c.text("scope"), c.text("namespace"), c.text("key")),
                new ClaimRef(c.lookup(), new RecordId(c.uuid("record_id")), c.number("fence")),
                c.text("reason"),
                c.instant("since"),
                c.optionalDuration("age").orElseThrow());
    }

    private static State stateAfter(Resolution.Verdict verdict) {
        return switch (verdict) {
            case Resolution.Done done -> State.COMPLETED;
            case Resolution.RunAgain again -> State.RELEASED;
        };
    }

    static long micros(Instant moment) {
        return Instant.EPOCH.until(moment, ChronoUnit.MICROS);
    }
}
