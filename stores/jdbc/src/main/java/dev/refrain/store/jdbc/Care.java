package dev.refrain.store.jdbc;

import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.key.Identity;
import dev.refrain.key.RecordId;
import dev.refrain.store.Abandoned;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** What the workers do: settle or take up what was abandoned, delete what is over. */
final class Care {

    private record Sweep(Duration grace, int limit) {}

    private static final Question<Sweep> SWEEP =
            Question.<Sweep>script("sweep").duration("grace", Sweep::grace).number("limit", Sweep::limit);

    private static final Question<Integer> REAP =
            Question.<Integer>script("reap").number("limit", limit -> limit);

    private static final Question<TakeUp> TAKE_UP = Question.<TakeUp>script("take_up")
            .text("namespace", TakeUp::namespace)
            .duration("grace", TakeUp::gracePeriod)
            .duration("pause", TakeUp::firstBackoff)
            .duration("longest", order -> TakeUp.LONGEST_PAUSE)
            .number("attempts", TakeUp::maxAttempts)
            .number("limit", TakeUp::limit);

    /** One that was looked at: found to be abandoned, given up, or neither. */
    private record Looked(Optional<Abandoned> abandoned, boolean givenUp) {}

    private Care() {}

    static Swept sweep(Session session, Duration grace, int limit) throws SQLException {
        return session.atomically(() -> session.run(
                        SWEEP,
                        new Sweep(grace, limit),
                        c -> new Swept((int) c.number("released"), (int) c.number("held"), c.flag("more"))))
                .getFirst();
    }

    static TakenUp takeUp(Session session, TakeUp order) throws SQLException {
        var looked = session.atomically(() -> session.run(
                TAKE_UP,
                order,
                c -> new Looked(c.flag("taken") ? Optional.of(abandoned(c)) : Optional.empty(), c.flag("worn"))));
        return new TakenUp(
                looked.stream().flatMap(one -> one.abandoned().stream()).toList(),
                (int) looked.stream().filter(Looked::givenUp).count(),
                looked.size() == order.limit());
    }

    private static Abandoned abandoned(Columns c) throws SQLException {
        return new Abandoned(
                new Identity(c.text("scope"), c.text("namespace"), c.text("key")),
                new RecordId(c.uuid("id")),
                Fingerprint.stored(c.text("recipe"), Objects.requireNonNull(c.bytesIfAny("fingerprint"))),
                (int) c.number("attempt"));
    }

    static int reap(Session session, int limit) throws SQLException {
        return session.atomically(() -> session.run(REAP, limit, c -> (int) c.number("reaped")))
                .getFirst();
    }
}
