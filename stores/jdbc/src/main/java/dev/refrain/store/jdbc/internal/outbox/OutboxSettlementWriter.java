package dev.refrain.store.jdbc.internal.outbox;

import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import dev.refrain.store.jdbc.internal.sql.SqlResultRow;
import dev.refrain.store.jdbc.internal.sql.SqlSession;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Settles rows of the outbox: one statement per kind of settlement, which changes each row only under its own fence. */
final class OutboxSettlementWriter {

    /**
     * Row that stays after its settlement.
     *
     * @param uncounted whether the attempt does not count
     * @param closed whether its result is known: nothing was done
     */
    private record DelayedRow(OutboxRowRef row, long pause, boolean uncounted, boolean closed, String reason) {}

    private static final ParameterizedScript<OutboxRowRef> ROW = ParameterizedScript.<OutboxRowRef>script("")
            .number("seq", OutboxRowRef::sequence)
            .number("fence", OutboxRowRef::fence);

    private static final ParameterizedScript<MessageSettlement.Delivered> DELIVERED =
            ParameterizedScript.<MessageSettlement.Delivered>script("outbox_delivered")
                    .include(ROW, MessageSettlement.Delivered::row)
                    .duration("keep", MessageSettlement.Delivered::keep);

    private static final ParameterizedScript<OutboxRowRef> DELIVERED_COMMIT =
            ParameterizedScript.<OutboxRowRef>script("outbox_delivered_commit").include(ROW, row -> row);

    /** SQLSTATE with which {@link #DELIVERED_COMMIT} fails if the row has another fence: a count of zero for width_bucket. */
    private static final String ANOTHER_FENCE = "2201G";

    private static final ParameterizedScript<DelayedRow> PUT_OFF = ParameterizedScript.<DelayedRow>script(
                    "outbox_delay")
            .include(ROW, DelayedRow::row)
            .number("pause", DelayedRow::pause)
            .number("uncounted", p -> p.uncounted() ? 1 : 0)
            .number("closed", p -> p.closed() ? 1 : 0)
            .note("reason", DelayedRow::reason);

    private static final ParameterizedScript<MessageSettlement.Dead> DEAD =
            ParameterizedScript.<MessageSettlement.Dead>script("outbox_dead")
                    .include(ROW, MessageSettlement.Dead::row)
                    .number("cause", d -> OutboxStatements.code(d.cause()))
                    .number("open", MessageSettlement.Dead::open)
                    .note("reason", MessageSettlement.Dead::reason);

    private OutboxSettlementWriter() {}

    /** Settles atomically; a single kind is one statement anyway. */
    static Set<OutboxRowRef> settle(SqlSession session, List<? extends MessageSettlement> settlements)
            throws SQLException {
        long kinds =
                settlements.stream().map(MessageSettlement::getClass).distinct().count();
        return kinds == 1
                ? session.atomically(() -> within(session, settlements))
                : session.inTransaction(() -> within(session, settlements));
    }

    /** Returns the row that {@link #deliverAndCommit} can settle, if it is one and is not kept. */
    static Optional<OutboxRowRef> lone(List<? extends MessageSettlement> settlements) {
        return settlements.size() == 1
                        && settlements.getFirst() instanceof MessageSettlement.Delivered delivered
                        && delivered.keep().isZero()
                ? Optional.of(delivered.row())
                : Optional.empty();
    }

    /**
     * Settles a delivered row and commits the session's open transaction in one round trip, where scripts are sent as a whole.
     *
     * @return false if the row has another fence; the transaction can only be rolled back then
     */
    static boolean deliverAndCommit(SqlSession session, OutboxRowRef row) throws SQLException {
        try {
            session.run(DELIVERED_COMMIT, row, (result, columns) -> {});
            return true;
        } catch (SQLException e) {
            if (ANOTHER_FENCE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** Settles inside the session's open transaction. */
    static Set<OutboxRowRef> within(SqlSession session, List<? extends MessageSettlement> settlements)
            throws SQLException {
        var delivered = new ArrayList<MessageSettlement.Delivered>();
        var putOff = new ArrayList<DelayedRow>();
        var dead = new ArrayList<MessageSettlement.Dead>();
        for (var settlement : sorted(settlements)) {
            switch (settlement) {
                case MessageSettlement.Delivered d -> delivered.add(d);
                case MessageSettlement.Failed f -> putOff.add(putOff(f.row(), f.pause(), false, false, f.reason()));
                case MessageSettlement.Refused r -> putOff.add(putOff(r.row(), r.pause(), false, true, r.reason()));
                case MessageSettlement.NotSent n -> putOff.add(putOff(n.row(), n.pause(), true, true, n.reason()));
                case MessageSettlement.Dead d -> dead.add(d);
            }
        }
        var settled = new HashSet<OutboxRowRef>();
        settled.addAll(session.runBatch(DELIVERED, delivered, OutboxSettlementWriter::row));
        settled.addAll(session.runBatch(PUT_OFF, putOff, OutboxSettlementWriter::row));
        settled.addAll(session.runBatch(DEAD, dead, OutboxSettlementWriter::row));
        return settled;
    }

    /** Sorts settlements, so that two that settle the same rows cannot deadlock. */
    private static List<? extends MessageSettlement> sorted(List<? extends MessageSettlement> settlements) {
        return settlements.stream()
                .sorted(Comparator.comparingLong(s -> s.row().sequence()))
                .toList();
    }

    private static DelayedRow putOff(
            OutboxRowRef row, Duration pause, boolean uncounted, boolean closed, String reason) {
        return new DelayedRow(row, ParameterizedScript.micros(pause), uncounted, closed, reason);
    }

    private static OutboxRowRef row(SqlResultRow columns) throws SQLException {
        return new OutboxRowRef(columns.number("seq"), columns.number("fence"));
    }
}
