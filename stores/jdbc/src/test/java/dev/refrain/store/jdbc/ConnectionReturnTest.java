package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.store.StoreTransactionFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * A connection that goes back to its pool is no longer ours: whatever the patience, nothing is cancelled on it then, as that would hit
 * its next user.
 */
class ConnectionReturnTest {

    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** What was done to a connection while it went back. */
    private final List<String> afterwards = new CopyOnWriteArrayList<>();

    private volatile boolean slow;
    private String url;
    private RawSql sql;
    private JdbcStore store;
    private Refrain refrain;

    @BeforeEach
    void open() {
        url = TestDatabases.emptiedPostgres();
        sql = new RawSql(TestDatabases.postgres(url));
        sql.execute("CREATE TABLE payment (id text)");
        store = JdbcStore.builder(slowlyReturned(TestDatabases.postgres(url)))
                .dedicatedDataSource(TestDatabases.postgres(url))
                .build();
        refrain = Refrain.using(store);
    }

    @AfterEach
    void close() {
        refrain.close();
        store.close();
    }

    /** A pool that takes longer than anybody's patience to take a connection back, as one that validates it does. */
    private DataSource slowlyReturned(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    try {
                        var result = method.invoke(source, arguments);
                        return result instanceof Connection connection ? slowlyReturned(connection) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Connection slowlyReturned(Connection connection) {
        var returning = new boolean[1];
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("close") && slow) {
                        returning[0] = true;
                        Thread.sleep(PATIENCE.multipliedBy(2));
                    } else if (returning[0] && method.getName().equals("abort")) {
                        afterwards.add("aborted");
                    } else if (returning[0] && arguments != null && arguments[0] == PGConnection.class) {
                        afterwards.add("cancelled");
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private TransactionalOperation<String, Connection> pay(StoreTransactionFactory<Connection> transactions) {
        return refrain.operation("pay", String.class).storeTimeout(PATIENCE).transactional(transactions);
    }

    private void paysAndFails(TransactionalOperation<String, Connection> pay) throws Exception {
        pay.run(call("before"), (claim, connection) -> "before");
        slow = true;
        assertThat(pay.run(call("paid"), (claim, connection) -> insert(connection, "paid")))
                .isEqualTo("paid");
        assertThatThrownBy(() -> pay.run(call("failed"), (claim, connection) -> {
                    insert(connection, "failed");
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        slow = false;
        assertThat(sql.text("SELECT string_agg(id, ',') FROM payment")).isEqualTo("paid");
    }

    private static OperationCall call(String key) {
        return OperationCall.scope("tenant").key(key).request("7 EUR");
    }

    private static String insert(Connection connection, String id) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO payment VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
        return id;
    }

    @Test
    void connectionOfOurOwnTransactionIsLeftAloneOnceItGoesBack() throws Exception {
        paysAndFails(pay(store.transactions()));
        assertThat(afterwards).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsCancelledWhileAManagerEndsItsTransaction(boolean commitsInSql) throws Exception {
        var source = slowlyReturned(TestDatabases.postgres(url));
        paysAndFails(pay(store.transactions(() -> new ConnectionTransaction(source.getConnection(), commitsInSql))));
        assertThat(afterwards).doesNotContain("cancelled");
    }
}
