package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import dev.refrain.store.contract.TransactionalStoreHarness;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A store in a database of its own, bare or inside of a decorator. Its clock cannot be moved: what it holds is aged instead. */
abstract class JdbcStoreHarness implements TransactionalStoreHarness<Connection> {

    private final List<Store> opened = new ArrayList<>();
    private final UnaryOperator<Store> around;
    private final DataSource source;

    JdbcStoreHarness(DataSource source, UnaryOperator<Store> around) {
        this.source = source;
        this.around = around;
    }

    /** An expression that takes a number of microseconds off a stored time; what is for ever stays. */
    abstract String earlier(String column, long micros);

    /** Removes what an earlier test left. */
    abstract void clear();

    @Override
    public Store open() {
        var store = openBare();
        execute("CREATE TABLE IF NOT EXISTS note (line VARCHAR(200))");
        // Before the decorator looks: it would meet the encryption marks of the earlier test.
        clear();
        return around.apply(store);
    }

    @Override
    public Store openSecond() {
        return around.apply(openBare());
    }

    JdbcStoreBuilder builder(DataSource of) {
        return JdbcStore.builder(of);
    }

    private Store openBare() {
        var store = builder(source).createBrowsingIndex(true).build();
        opened.add(store);
        return store;
    }

    @Override
    public Optional<Store> reopenAfterCrash() {
        return Optional.of(openSecond());
    }

    @Override
    public void advanceTime(Duration time) {
        long micros = ParameterizedScript.micros(time);
        age("refrain_record", micros, "lease_until", "claimed_at", "expires_at", "call_announced_at");
        age("refrain_attempt", micros, "began_at", "ended_at");
        age("refrain_payload", micros, "due_at");
        age("refrain_attention", micros, "since");
        age("refrain_outbox", micros, "staged_at", "due_at", "lease_until", "sent_at");
        age("refrain_outbox_past", micros, "settled_at", "keep_until", "sent_at");
        age("refrain_ledger_entry", micros, "ours_at", "theirs_at", "found_at");
        age("refrain_ledger", micros, "read_until");
        age("refrain_meta", micros, "moment", "since");
    }

    final void age(String table, long micros, String... columns) {
        var changes = List.of(columns).stream()
                .map(column -> column + " = " + earlier(column, micros))
                .toList();
        execute("UPDATE " + table + " SET " + String.join(", ", changes));
    }

    @Override
    public void simulateNewerFormat() {
        execute("UPDATE refrain_record SET format = format + 1");
    }

    @Override
    public void inTransaction(TransactionBody<Connection> body) throws Exception {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                body.run(connection);
                connection.commit();
            } catch (Throwable failed) {
                connection.rollback();
                throw failed;
            }
        }
    }

    @Override
    public void insertNote(Connection connection, String text) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO note VALUES (?)")) {
            insert.setString(1, text);
            insert.executeUpdate();
        }
    }

    @Override
    public List<String> notes() {
        var lines = new ArrayList<String>();
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT line FROM note")) {
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return lines;
    }

    @Override
    public boolean abortFailsRunningWork() {
        return true;
    }

    @Override
    public void close() {
        opened.forEach(Store::close);
    }

    final void execute(String sql) {
        new RawSql(source).execute(sql);
    }
}
