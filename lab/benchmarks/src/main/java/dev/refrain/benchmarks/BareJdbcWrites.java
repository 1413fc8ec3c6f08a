package dev.refrain.benchmarks;

import static java.util.Objects.requireNonNull;

import dev.refrain.store.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The driver alone, with the same rows in the same tables, as prepared statements: a claim is an INSERT with a row for each key and commits by
 * itself, a completion UPDATEs in a JDBC batch, INSERTs the answers and commits, a replay is a SELECT. It decides nothing: two callers with one key
 * would end in an error, and nobody asks whether a retry is the same request.
 */
final class BareJdbcWrites implements StoreWrites {

    private static final String CLAIM = "INSERT INTO refrain_record (lookup, id, owner, fence, lease_until, expires_at,"
            + " claimed_at, state, hold, fingerprint, recipe, scope, namespace, ";
    private static final String CLAIMED_ROW = "(?, ?, ?, 1, ?, ?, ?, 1, TRUE, ?, '1/bench', 'bare', 'payments', ?)";
    private static final String COMPLETE = "UPDATE refrain_record SET state = 2, completed_at = ?, expires_at = ?,"
            + " parts = 1 WHERE lookup = ? AND id = ? AND fence = 1";
    private static final String KEEP = "INSERT INTO refrain_payload (record_id, kind, bytes) VALUES ";
    private static final String REPLAY = "SELECT r.id, r.state, r.fingerprint, r.recipe, r.expires_at, p.bytes"
            + " FROM refrain_record r JOIN refrain_payload p ON p.record_id = r.id AND p.kind = 1 WHERE r.lookup IN (";

    /** How a database has ids and times in these tables. */
    private enum Columns {
        POSTGRESQL,
        MYSQL,
        SQLITE;

        static Columns of(Connection connection) throws SQLException {
            return switch (connection.getMetaData().getDatabaseProductName()) {
                case "PostgreSQL" -> POSTGRESQL;
                case "SQLite" -> SQLITE;
                default -> MYSQL;
            };
        }

        void setId(PreparedStatement statement, int at, UUID id) throws SQLException {
            if (this == POSTGRESQL) {
                statement.setObject(at, id);
            } else {
                statement.setBytes(at, bytes(id));
            }
        }

        void setTime(PreparedStatement statement, int at, Duration fromNow) throws SQLException {
            var time = Instant.now().plus(fromNow);
            switch (this) {
                case POSTGRESQL -> statement.setObject(at, time.atOffset(ZoneOffset.UTC));
                case MYSQL -> statement.setLong(at, TimeUnit.MILLISECONDS.toMicros(time.toEpochMilli()));
                case SQLITE -> statement.setLong(at, time.toEpochMilli());
            }
        }

        private static byte[] bytes(UUID id) {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array();
        }
    }

    /** What a caller would remember of its claim. */
    private record Claimed(UUID lookup, UUID id) {}

    private final Connection connection;

    /** Without auto-commit; to switch that takes a round trip on some databases. */
    private final Connection transaction;

    private final Columns columns;
    private final byte[] answer;
    private final Map<String, Claimed> claims = new HashMap<>();
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    BareJdbcWrites(DataSource database, byte[] answer) {
        this.answer = answer;
        try {
            this.connection = database.getConnection();
            this.transaction = database.getConnection();
            transaction.setAutoCommit(false);
            this.columns = Columns.of(connection);
        } catch (SQLException e) {
            throw new MeasurementFailedException("The bare driver could not connect.", e);
        }
    }

    private interface Work {
        void run() throws SQLException;
    }

    private static void attempt(Work work) {
        try {
            work.run();
        } catch (SQLException e) {
            throw new MeasurementFailedException("The bare driver failed: " + e.getMessage(), e);
        }
    }

    private PreparedStatement prepared(Connection on, String sql) throws SQLException {
        var known = prepared.get(sql);
        if (known == null) {
            known = on.prepareStatement(sql);
            prepared.put(sql, known);
        }
        return known;
    }

    private static String rows(String row, int count) {
        return String.join(", ", Collections.nCopies(count, row));
    }

    @Override
    public void claim(List<String> keys) {
        attempt(() -> {
            String keyColumn = columns == Columns.MYSQL ? "`key`" : "key";
            var insert = prepared(connection, CLAIM + keyColumn + ") VALUES " + rows(CLAIMED_ROW, keys.size()));
            int at = 0;
            for (String key : keys) {
                var claimed = new Claimed(UUID.randomUUID(), UUID.randomUUID());
                claims.put(key, claimed);
                columns.setId(insert, ++at, claimed.lookup());
                columns.setId(insert, ++at, claimed.id());
                columns.setId(insert, ++at, claimed.id());
                columns.setTime(insert, ++at, Duration.ofMinutes(1));
                columns.setTime(insert, ++at, Duration.ofHours(24));
                columns.setTime(insert, ++at, Duration.ZERO);
                insert.setBytes(++at, new byte[Fingerprint.DIGEST_BYTES]);
                if (columns == Columns.MYSQL) {
                    insert.setBytes(++at, key.getBytes(StandardCharsets.UTF_8));
                } else {
                    insert.setString(++at, key);
                }
            }
            insert.executeUpdate();
        });
    }

    @Override
    public void complete(List<String> keys) {
        attempt(() -> {
            var update = prepared(transaction, COMPLETE);
            var insert = prepared(transaction, KEEP + rows("(?, 1, ?)", keys.size()));
            int at = 0;
            for (String key : keys) {
                var claimed = requireNonNull(claims.get(key));
                columns.setTime(update, 1, Duration.ZERO);
                columns.setTime(update, 2, Duration.ofHours(24));
                columns.setId(update, 3, claimed.lookup());
                columns.setId(update, 4, claimed.id());
                update.addBatch();
                columns.setId(insert, ++at, claimed.id());
                insert.setBytes(++at, answer);
            }
            update.executeBatch();
            insert.executeUpdate();
            transaction.commit();
        });
    }

    @Override
    public void replay(List<String> keys) {
        attempt(() -> {
            var select = prepared(connection, REPLAY + rows("?", keys.size()) + ")");
            int at = 0;
            for (String key : keys) {
                columns.setId(select, ++at, requireNonNull(claims.remove(key)).lookup());
            }
            int found = 0;
            try (var row = select.executeQuery()) {
                while (row.next()) {
                    found++;
                    row.getBytes("bytes");
                }
            }
            if (found != keys.size()) {
                throw new MeasurementFailedException(
                        "The bare driver found " + found + " of " + keys.size() + " keys.");
            }
        });
    }

    @Override
    public void close() {
        attempt(connection::close);
        attempt(transaction::close);
    }
}
