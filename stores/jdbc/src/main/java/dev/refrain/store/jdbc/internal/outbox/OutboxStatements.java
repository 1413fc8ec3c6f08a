package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.jdbc.internal.record.StoreClockNotes;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLabels;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageLeaseRequest.Durability;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.TopicBacklog;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** Queries of the outbox, except settlement. */
public final class OutboxStatements {

    private record DeadLetterPage(Optional<DeadLetter> after, int limit) {}

    private record BacklogParameters(String topic, int limit) {}

    /** Decision on one dead letter. */
    private record DecidedRow(UUID id, DeadLetterDecision decision) {}

    private static final ParameterizedScript<StagedMessage> STAGE = ParameterizedScript.<StagedMessage>script(
                    "outbox_stage")
            .uuid("id", StagedMessage::id)
            .text("topic", StagedMessage::topic)
            .nullableNumber("lane", s -> s.lane().isPresent() ? (long) s.lane().getAsInt() : null)
            .text("order_key", s -> s.orderKey().orElse(null))
            .bytes("payload", s -> s.payload().bytes())
            .text("scope", s -> s.labels().scope().orElse(null))
            .text("subject", s -> s.labels().subject().orElse(null))
            .text("reference", s -> s.labels().reference().orElse(null));

    private record ReferredLetter(String topic, String reference) {}

    private static final ParameterizedScript<ReferredLetter> REFERRED = ParameterizedScript.<ReferredLetter>script(
                    "dead_letter_referred")
            .text("topic", ReferredLetter::topic)
            .text("reference", ReferredLetter::reference);

    private static final ParameterizedScript<String> DUE =
            ParameterizedScript.<String>script("outbox_due").text("topic", topic -> topic);

    private static final ParameterizedScript<MessageLeaseRequest> TAKE =
            ParameterizedScript.<MessageLeaseRequest>script("outbox_lease")
                    .text("topic", MessageLeaseRequest::topic)
                    .duration("lease", MessageLeaseRequest::lease)
                    .number("rows", MessageLeaseRequest::maxRows)
                    .number("rows_at_most", MessageLeaseRequest::maxRows)
                    .number("in_lane_before", order -> order.maxRowsPerLane() - 1L)
                    .number("in_lane", MessageLeaseRequest::maxRowsPerLane)
                    .number("bytes", MessageLeaseRequest::maxBytes)
                    .number("forgotten", order -> order.durability() == Durability.FORGOTTEN_IN_CRASHES ? 1 : 0);

    private static final int TAKEN_ROWS = 1;

    private static final ParameterizedScript<DeadLetterPage> DEAD_LETTERS = ParameterizedScript.<DeadLetterPage>script(
                    "dead_letters")
            .number(
                    "since",
                    p -> p.after()
                            .map(l -> ParameterizedScript.micros(l.since()))
                            .orElse(0L))
            .uuid("id", p -> p.after().map(DeadLetter::id).orElse(new UUID(0, 0)))
            .number("limit", DeadLetterPage::limit);

    private static final ParameterizedScript<DecidedRow> RESEND = decided("outbox_resend");
    private static final ParameterizedScript<DecidedRow> DISCARD = decided("outbox_discard");

    private static final ParameterizedScript<Integer> REAP =
            ParameterizedScript.<Integer>script("outbox_reap").number("limit", limit -> limit);

    private static final ParameterizedScript<BacklogParameters> BACKLOG = ParameterizedScript.<BacklogParameters>script(
                    "outbox_backlog")
            .text("topic", BacklogParameters::topic)
            .number("limit", BacklogParameters::limit);

    private OutboxStatements() {}

    public static void stage(SqlSession session, StagedMessage message) throws SQLException {
        session.run(STAGE, message, (result, columns) -> {});
    }

    public static List<LeasedMessage> take(SqlSession session, MessageLeaseRequest order) throws SQLException {
        // Where leasing needs the single write lock, read first.
        if (!session.dialect().hasConcurrentWriters()
                && !session.run(DUE, order.topic(), c -> c.flag("due")).getFirst()) {
            return List.of();
        }
        return session.atomically(() -> {
            var taken = new ArrayList<LeasedMessage>();
            session.run(TAKE, order, (result, columns) -> {
                if (result == TAKEN_ROWS) {
                    taken.add(taken(columns));
                }
            });
            taken.sort(Comparator.comparingLong(t -> t.row().sequence()));
            return taken;
        });
    }

    public static List<DeadLetter> deadLetters(SqlSession session, Optional<DeadLetter> after, int limit)
            throws SQLException {
        return session.run(DEAD_LETTERS, new DeadLetterPage(after, limit), OutboxStatements::deadLetter);
    }

    public static Optional<DeadLetter> deadLetter(SqlSession session, String topic, String reference)
            throws SQLException {
        return session.run(REFERRED, new ReferredLetter(topic, reference), OutboxStatements::deadLetter).stream()
                .findFirst();
    }

    public static DeadLetter deadLetter(SqlResultRow c) throws SQLException {
        return new DeadLetter(
                c.uuid("id"),
                c.text("topic"),
                cause((int) c.number("cause")),
                c.text("reason"),
                (int) c.number("attempts"),
                c.instant("since"),
                c.payload("payload").orElseThrow());
    }

    public static int decide(SqlSession session, DeadLetterDecision decision) throws SQLException {
        var question = switch (decision.action()) {
            case RESEND -> RESEND;
            case DISCARD -> DISCARD;
        };
        var rows = decision.ids().stream()
                .distinct()
                .sorted()
                .map(id -> new DecidedRow(id, decision))
                .toList();
        return session.atomically(() -> session.runBatch(question, rows, c -> c.uuid("id")))
                .size();
    }

    public static int reap(SqlSession session, int limit) throws SQLException {
        StoreClockNotes.take(session);
        return session.atomically(() -> session.run(REAP, limit, c -> c.number("reaped")))
                .size();
    }

    public static TopicBacklog backlog(SqlSession session, String topic, int limit) throws SQLException {
        return session.run(
                        BACKLOG,
                        new BacklogParameters(topic, limit),
                        c -> new TopicBacklog(
                                c.number("waiting"),
                                c.number("dead"),
                                ParameterizedScript.durationOfMicros(c.number("lag")),
                                c.flag("more")))
                .getFirst();
    }

    public static int code(MessageSettlement.Cause cause) {
        return switch (cause) {
            case REFUSED -> 1;
            case EXHAUSTED -> 2;
            case UNKNOWN -> 3;
        };
    }

    public static MessageSettlement.Cause cause(int code) {
        return switch (code) {
            case 1 -> MessageSettlement.Cause.REFUSED;
            case 2 -> MessageSettlement.Cause.EXHAUSTED;
            case 3 -> MessageSettlement.Cause.UNKNOWN;
            default -> throw new IllegalStateException("No dead letter has the cause " + code);
        };
    }

    private static LeasedMessage taken(SqlResultRow c) throws SQLException {
        return new LeasedMessage(
                new OutboxRowRef(c.number("seq"), c.number("fence")),
                c.uuid("id"),
                c.text("topic"),
                lane(c),
                c.textIfAny("order_key"),
                c.payload("payload").orElseThrow(),
                (int) c.number("attempts"),
                (int) c.number("open"),
                ParameterizedScript.durationOfMicros(c.number("open_for")),
                ParameterizedScript.durationOfMicros(c.number("age")),
                new MessageLabels(c.textIfAny("scope"), c.textIfAny("subject"), c.textIfAny("reference")));
    }

    private static ParameterizedScript<DecidedRow> decided(String script) {
        return ParameterizedScript.<DecidedRow>script(script)
                .uuid("id", DecidedRow::id)
                .text("id_text", d -> d.id().toString())
                .text("action", d -> switch (d.decision().action()) {
                    case RESEND -> "outbox: send again";
                    case DISCARD -> "outbox: dismiss";
                })
                .note("who", d -> d.decision().who())
                .note("why", d -> d.decision().why());
    }

    private static OptionalInt lane(SqlResultRow c) throws SQLException {
        var lane = c.numberIfAny("lane");
        return lane.isPresent() ? OptionalInt.of((int) lane.getAsLong()) : OptionalInt.empty();
    }
}
