package dev.refrain.store.jdbc;

import dev.refrain.store.Swept;
import java.sql.SQLException;
import java.time.Duration;

/** What the workers do: settle what was abandoned, delete what is over. */
final class Care {

    private record Sweep(Duration grace, int limit) {}

    private static final Question<Sweep> SWEEP =
            Question.<Sweep>named("sweep").time("grace", Sweep::grace).number("limit", Sweep::limit);

    private static final Question<Integer> REAP =
            Question.<Integer>named("reap").number("limit", limit -> limit);

    private Care() {}

    static Swept sweep(Session session, Duration grace, int limit) throws SQLException {
        return session.atomically(() -> session.askOne(
                        SWEEP,
                        new Sweep(grace, limit),
                        c -> new Swept((int) c.number("released"), (int) c.number("held"), c.flag("more"))))
                .getFirst();
    }

    static int reap(Session session, int limit) throws SQLException {
        return session.atomically(() -> session.askOne(REAP, limit, c -> (int) c.number("reaped")))
                .getFirst();
    }
}
