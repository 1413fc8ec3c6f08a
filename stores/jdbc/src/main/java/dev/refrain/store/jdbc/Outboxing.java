package dev.refrain.store.jdbc;

import dev.refrain.store.outbox.Backlog;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.Decision;
import dev.refrain.store.outbox.RowRef;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Staged;
import dev.refrain.store.outbox.TakeOrder;
import dev.refrain.store.outbox.Taken;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** What is asked of the outbox, apart from settling. */
final class Outboxing {

    private record Page(Optional<DeadLetter> after, int limit) {}

    private record Counting(String topic, int limit) {}

    /** A decision on one letter. */
    private record Decided(UUID id, Decision decision) {}

    private static final Question<Staged> STAGE = Question.<Staged>script("outbox_stage")
            .uuid("id", Staged::id)
            .text("topic", Staged::topic)
            .nullableNumber("lane", s -> s.lane().isPresent() ? (long) s.lane().getAsInt() : null)
            .text("order_key", s -> s.orderKey().orElse(null))
            .bytes("payload", s -> s.payload().bytes());

    private static final Question<String> DUE =
            Question.<String>script("outbox_due").text("topic", topic -> topic);

    private static final Question<TakeOrder> TAKE = Question.<TakeOrder>script("outbox_take")
            .text("topic", TakeOrder::topic)
            .duration("lease", TakeOrder::lease)
            .number("rows", TakeOrder::maxRows)
            .number("in_lane", TakeOrder::maxRowsPerLane)
            .number("bytes", TakeOrder::maxBytes);

    private static final int TAKEN_ROWS = 1;

    private static final Question<Page> DEAD_LETTERS = Question.<Page>script("outbox_dead_letters")
            .number("since", p -> p.after().map(l -> micros(l.since())).orElse(0L))
            .uuid("id", p -> p.after().map(DeadLetter::id).orElse(new UUID(0, 0)))
            .number("limit", Page::limit);

    private static final Question<Decided> SEND_AGAIN = decided("outbox_send_again");
    private static final Question<Decided> DISMISS = decided("outbox_dismiss");

    private static final Question<Integer> REAP =
            Question.<Integer>script("outbox_reap").number("limit", limit -> limit);

    private static final Question<Counting> BACKLOG = Question.<Counting>script("outbox_backlog")
            .text("topic", Counting::topic)
            .number("limit", Counting::limit);

    private Outboxing() {}

    static void stage(Session session, Staged message) throws SQLException {
        session.run(STAGE, message, (result, columns) -> {});
    }

    static List<Taken> take(Session session, TakeOrder order) throws SQLException {
        // Where taking needs the one write lock, it is worth looking first.
        if (!session.dialect().hasConcurrentWriters()
                && !session.run(DUE, order.topic(), c -> c.flag("due")).getFirst()) {
            return List.of();
        }
        return session.atomically(() -> {
            var taken = new ArrayList<Taken>();
            session.run(TAKE, order, (result, columns) -> {
                if (result == TAKEN_ROWS) {
                    taken.add(taken(columns));
                }
            });
            taken.sort(Comparator.comparingLong(t -> t.row().sequence()));
            return taken;
        });
    }

    static List<DeadLetter> deadLetters(Session session, Optional<DeadLetter> after, int limit) throws SQLException {
        return session.run(DEAD_LETTERS, new Page(after, limit), Outboxing::deadLetter);
    }

    static DeadLetter deadLetter(Columns c) throws SQLException {
        return new DeadLetter(
                c.uuid("id"),
                c.text("topic"),
                cause((int) c.number("cause")),
                c.text("reason"),
                (int) c.number("attempts"),
                c.instant("since"),
                c.payload("payload").orElseThrow());
    }

    static int decide(Session session, Decision decision) throws SQLException {
        var question = switch (decision.verdict()) {
            case SEND_AGAIN -> SEND_AGAIN;
            case DISMISS -> DISMISS;
        };
        var rows = decision.ids().stream()
                .distinct()
                .sorted()
                .map(id -> new Decided(id, decision))
                .toList();
        return session.atomically(() -> session.runBatch(question, rows, c -> c.uuid("id")))
                .size();
    }

    static int reap(Session session, int limit) throws SQLException {
        return session.atomically(() -> session.run(REAP, limit, c -> c.number("reaped")))
                .size();
    }

    static Backlog backlog(Session session, String topic, int limit) throws SQLException {
        return session.run(
                        BACKLOG,
                        new Counting(topic, limit),
                        c -> new Backlog(
                                c.number("waiting"),
                                c.number("dead"),
                                Question.durationOfMicros(c.number("lag")),
                                c.flag("more")))
                .getFirst();
    }

    static int code(Settlement.Cause cause) {
        return switch (cause) {
            case REFUSED -> 1;
            case EXHAUSTED -> 2;
            case UNKNOWN -> 3;
        };
    }

    static Settlement.Cause cause(int code) {
        return switch (code) {
            case 1 -> Settlement.Cause.REFUSED;
            case 2 -> Settlement.Cause.EXHAUSTED;
            case 3 -> Settlement.Cause.UNKNOWN;
            default -> throw new IllegalStateException("No dead letter has the cause " + code);
        };
    }

    private static Taken taken(Columns c) throws SQLException {
        return new Taken(
                new RowRef(c.number("seq"), c.number("fence")),
                c.uuid("id"),
                c.text("topic"),
                lane(c),
                c.textIfAny("order_key"),
                c.payload("payload").orElseThrow(),
                (int) c.number("attempts"),
                (int) c.number("open"),
                Question.durationOfMicros(c.number("open_for")),
                Question.durationOfMicros(c.number("age")));
    }

    private static Question<Decided> decided(String script) {
        return Question.<Decided>script(script)
                .uuid("id", Decided::id)
                .text("id_text", d -> d.id().toString())
                .text("action", d -> switch (d.decision().verdict()) {
                    case SEND_AGAIN -> "outbox: send again";
                    case DISMISS -> "outbox: dismiss";
                })
                .text("who", d -> d.decision().who())
                .text("why", d -> d.decision().why());
    }

    private static long micros(Instant moment) {
        return Instant.EPOCH.until(moment, ChronoUnit.MICROS);
    }

    private static OptionalInt lane(Columns c) throws SQLException {
        var lane = c.numberIfAny("lane");
        return lane.isPresent() ? OptionalInt.of((int) lane.getAsLong()) : OptionalInt.empty();
    }
}
