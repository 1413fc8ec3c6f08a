package dev.refrain.store.jdbc;

import dev.refrain.store.outbox.RowRef;
import dev.refrain.store.outbox.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Settles rows of the outbox: one statement for all of a kind, each of which changes the row only under its own fence. */
final class SettlingRows {

    /**
     * What becomes of a row that stays.
     *
     * @param uncounted whether the attempt does not count
     * @param closed whether its end is known: nothing was done
     */
    private record PutOff(RowRef row, long pause, boolean uncounted, boolean closed, String reason) {}

    private static final Question<RowRef> ROW =
            Question.<RowRef>script("").number("seq", RowRef::sequence).number("fence", RowRef::fence);

    private static final Question<Settlement.Delivered> DELIVERED = Question.<Settlement.Delivered>script(
                    "outbox_delivered")
            .include(ROW, Settlement.Delivered::row)
            .duration("keep", Settlement.Delivered::keep);

    private static final Question<PutOff> PUT_OFF = Question.<PutOff>script("outbox_put_off")
            .include(ROW, PutOff::row)
            .number("pause", PutOff::pause)
            .number("uncounted", p -> p.uncounted() ? 1 : 0)
            .number("closed", p -> p.closed() ? 1 : 0)
            .text("reason", PutOff::reason);

    private static final Question<Settlement.Dead> DEAD = Question.<Settlement.Dead>script("outbox_dead")
            .include(ROW, Settlement.Dead::row)
            .number("cause", d -> Outboxing.code(d.cause()))
            .number("open", Settlement.Dead::open)
            .text("reason", d -> storable(d.reason()));

    private SettlingRows() {}

    /** As one step: what is of one kind is one statement anyway. */
    static Set<RowRef> settle(Session session, List<? extends Settlement> settlements) throws SQLException {
        long kinds = settlements.stream().map(Settlement::getClass).distinct().count();
        return kinds == 1
                ? session.atomically(() -> within(session, settlements))
                : session.inTransaction(() -> within(session, settlements));
    }

    /** As a part of what the session has open. */
    static Set<RowRef> within(Session session, List<? extends Settlement> settlements) throws SQLException {
        var delivered = new ArrayList<Settlement.Delivered>();
        var putOff = new ArrayList<PutOff>();
        var dead = new ArrayList<Settlement.Dead>();
        for (var settlement : sorted(settlements)) {
            switch (settlement) {
                case Settlement.Delivered d -> delivered.add(d);
                case Settlement.Failed f -> putOff.add(putOff(f.row(), f.pause(), false, false, f.reason()));
                case Settlement.Refused r -> putOff.add(putOff(r.row(), r.pause(), false, true, r.reason()));
                case Settlement.NotSent n -> putOff.add(putOff(n.row(), n.pause(), true, true, n.reason()));
                case Settlement.Dead d -> dead.add(d);
            }
        }
        var settled = new HashSet<RowRef>();
        settled.addAll(session.runBatch(DELIVERED, delivered, SettlingRows::row));
        settled.addAll(session.runBatch(PUT_OFF, putOff, SettlingRows::row));
        settled.addAll(session.runBatch(DEAD, dead, SettlingRows::row));
        return settled;
    }

    /** In one order, so that two who settle the same rows do not wait for each other. */
    private static List<? extends Settlement> sorted(List<? extends Settlement> settlements) {
        return settlements.stream()
                .sorted(Comparator.comparingLong(s -> s.row().sequence()))
                .toList();
    }

    private static PutOff putOff(RowRef row, Duration pause, boolean uncounted, boolean closed, String reason) {
        return new PutOff(row, Question.micros(pause), uncounted, closed, storable(reason));
    }

    /** A reason may quote what the other side said: whatever that was must not keep the row from being settled. */
    private static String storable(String reason) {
        return reason.replace('\0', ' ');
    }

    private static RowRef row(Columns columns) throws SQLException {
        return new RowRef(columns.number("seq"), columns.number("fence"));
    }
}
