package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claim;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.refrain.servers.LossyProxy;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** MariaDB's driver with several hosts: where one is lost it connects to the next by itself, with a session that is new. */
@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlReconnectTest {

    private final String url = MariadbServer.shared().freshDatabase();
    private final List<Connection> given = new CopyOnWriteArrayList<>();
    private LossyProxy proxy;
    private JdbcStore store;

    @BeforeEach
    void open() throws IOException {
        proxy = new LossyProxy(LossyProxy.port(url));
        String proxied = LossyProxy.through(url, proxy);
        var several = MariadbServer.dataSource(proxied.replaceFirst(
                "^jdbc:mariadb://([^/]+)/",
                "jdbc:mariadb:sequential://$1," + url.replaceFirst("^jdbc:mariadb://([^/]+)/.*$", "$1") + "/"));
        store = JdbcStore.on(StubDataSources.of(() -> {
            var connection = several.getConnection();
            given.add(connection);
            return connection;
        }));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        proxy.close();
    }

    private static String settings(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT CONCAT_WS(' ', @@SESSION.sql_mode, @@SESSION.time_zone,"
                        + " @@SESSION.innodb_lock_wait_timeout, @@SESSION.group_concat_max_len)")) {
            row.next();
            return row.getString(1) + " " + connection.getTransactionIsolation();
        }
    }

    /** Each connection is asked whether it is alive once another one was lost; to answer, the driver makes a new one behind it. */
    @Test
    void sessionThatTheDriverMadeAnewHasTheSettingsOfTheStore() throws Exception {
        var before = acquired(store, claimRequest("before"));
        String settings = settings(given.getLast());
        assertThat(settings).contains("STRICT_ALL_TABLES", "PIPES_AS_CONCAT", "+00:00");

        proxy.breakOff();
        assertThatThrownBy(() -> claim(store, claimRequest("lost")))
                .asInstanceOf(type(StoreException.class))
                .returns(true, StoreException::isTransient);
        acquired(store, claimRequest("after"));
        assertThat(store.write(List.of(complete(before.claim(), "paid"))))
                .containsExactly(new RecordWriteResponse.Written());
        assertThat(store.find(List.of(claimRequest("before").identity())).getFirst())
                .isPresent();
        store.reap(10);

        for (var connection : given) {
            if (!connection.isClosed()) {
                assertThat(settings(connection)).isEqualTo(settings);
            }
        }
    }

    /** The transaction is gone with the session, and a retry may succeed. */
    @Test
    void transactionThatTheDriverLostIsTransientAndHadNoEffect() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            proxy.breakOff();
            assertThatThrownBy(() -> transaction.complete(wish, record, payload("paid")))
                    .asInstanceOf(type(StoreException.class))
                    .returns(true, StoreException::isTransient)
                    .returns(Effect.NONE, StoreException::effect);
        }
        var again = retryOf(wish);
        await().ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> claim(store, again) instanceof ClaimResponse.Acquired);
    }

    @Test
    void commitDuringWhichTheDriverReconnectedIsUnknown() throws SQLException {
        var wish = claimRequest("k");
        try (var transaction = store.transactions().begin()) {
            var record = record(transaction.tryClaim(wish), true);
            transaction.complete(wish, record, payload("paid"));
            proxy.loseReplies();
            assertThatThrownBy(transaction::commit)
                    .asInstanceOf(type(StoreException.class))
                    .returns(true, StoreException::isTransient)
                    .returns(Effect.UNKNOWN, StoreException::effect);
            proxy.heal();
        }
        try (var again = store.transactions().begin()) {
            assertThat(record(again.tryClaim(retryOf(wish)), false).outcome()).contains(payload("paid"));
        }
    }
}
