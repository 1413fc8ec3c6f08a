package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** A store in a database of its own, whose clock cannot be moved: what it holds is aged instead. */
abstract class JdbcStoreHarness implements StoreHarness {

    private final List<Store> opened = new ArrayList<>();

    abstract DataSource dataSource();

    /** Statements that take a number of microseconds off every time that is stored. */
    abstract List<String> aging(long micros);

    @Override
    public Store open() {
        var store = JdbcStore.on(dataSource());
        opened.add(store);
        return store;
    }

    @Override
    public Store openSecond() {
        return open();
    }

    @Override
    public Optional<Store> reopenAfterCrash() {
        return Optional.of(open());
    }

    @Override
    public void advanceTime(Duration time) {
        aging(ParameterizedScript.micros(time)).forEach(this::execute);
    }

    @Override
    public void simulateNewerFormat() {
        execute("UPDATE refrain_record SET format = format + 1");
    }

    @Override
    public void close() {
        opened.forEach(Store::close);
    }

    final void execute(String sql) {
        try (var connection = dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
