package dev.refrain.trials.kills;

import java.sql.SQLException;
import java.util.Random;

/** Locks a few records now and then and holds them for seconds, as somebody does who looks at them in a console of the database. */
final class RowLockHolder extends TrialNuisance {

    private static final String RECORDS = "SELECT 1 FROM refrain_record ORDER BY random() LIMIT 3 FOR UPDATE";

    private final TrialDatabase place;
    private final KillTimeline timeline;

    RowLockHolder(TrialDatabase place, KillTimeline timeline, Random random) {
        super(random);
        this.place = place;
        this.timeline = timeline;
    }

    @Override
    void annoy(Random random) throws Exception {
        try (var connection = place.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL lock_timeout = '2s'");
            statement.execute(RECORDS);
            timeline.lockedRows();
            Thread.sleep(1_000 + random.nextInt(2_000));
            connection.rollback();
        } catch (SQLException e) {
            // The database was killed, has no tables yet, or others held these rows for too long.
        }
    }
}
