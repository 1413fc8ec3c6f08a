package dev.refrain.trials.kills;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
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
        try (var connection = place.connect()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            if (place.isMariadb()) {
                lockOnMariadb(connection);
            } else {
                lockOnPostgres(connection);
            }
            timeline.lockedRows();
            Thread.sleep(1_000 + random.nextInt(2_000));
            connection.rollback();
        } catch (SQLException e) {
            // The database was killed, has no tables yet, or others held these rows for too long.
        }
    }

    private static void lockOnPostgres(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SET LOCAL lock_timeout = '2s'");
            statement.execute(RECORDS);
        }
    }

    /** InnoDB locks what it sorts: the records are chosen first. */
    private static void lockOnMariadb(Connection connection) throws SQLException {
        var chosen = new ArrayList<byte[]>();
        try (var statement = connection.createStatement()) {
            statement.execute("SET SESSION innodb_lock_wait_timeout = 2");
            try (var rows = statement.executeQuery("SELECT lookup FROM refrain_record ORDER BY rand() LIMIT 3")) {
                while (rows.next()) {
                    chosen.add(rows.getBytes(1));
                }
            }
        }
        try (var lock = connection.prepareStatement("SELECT 1 FROM refrain_record WHERE lookup = ? FOR UPDATE")) {
            for (byte[] lookup : chosen) {
                lock.setBytes(1, lookup);
                lock.execute();
            }
        }
    }
}
