package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claim;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.complete;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.found;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A COMMIT that fails with a conflict (1213) may have taken effect: its outcome is unknown until the record is read. */
@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlCommitConflictTest {

    private final DataSource source =
            MariadbServer.dataSource(MariadbServer.shared().freshDatabase());
    private final RawSql sql = new RawSql(source);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void claimWhoseCommitFailedIsUnknownAndFoundOrMadeWhenItIsSentAgain(boolean committed) {
        var faults = new CommitFaults(committed);
        try (var store = JdbcStore.on(faults.of(source))) {
            acquired(store, claimRequest("before"));
            var wish = claimRequest("k");
            faults.failNext(1);
            assertUnknown(() -> claim(store, wish));

            assertThat(acquired(store, wish).fence()).isEqualTo(1);
            assertThat(claim(store, retryOf(wish))).isInstanceOf(ClaimResponse.Found.class);
            assertThat(sql.number("SELECT count(*) FROM refrain_record")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void completionWhoseCommitFailedIsUnknownAndWrittenWhenItIsSentAgain(boolean committed) {
        var faults = new CommitFaults(committed);
        try (var store = JdbcStore.on(faults.of(source))) {
            var wish = claimRequest("k");
            var done = complete(acquired(store, wish).claim(), "paid");
            faults.failNext(1);
            assertUnknown(() -> store.write(List.of(done)));

            assertThat(store.write(List.of(done))).containsExactly(new RecordWriteResponse.Written());
            assertThat(found(store, retryOf(wish)).outcome()).contains(payload("paid"));
        }
    }

    private static void assertUnknown(Runnable call) {
        assertThatThrownBy(call::run)
                .asInstanceOf(type(StoreException.class))
                .returns(true, StoreException::isTransient)
                .returns(Effect.UNKNOWN, StoreException::effect);
    }

    /** Both commits of a leased run fail, that of its claim and that of its completion: the batchers send them again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leasedRunWhoseCommitsFailRunsOnceAndIsReplayed(boolean committed) throws Exception {
        var faults = new CommitFaults(committed);
        var ran = new AtomicInteger();
        try (var store = JdbcStore.on(faults.of(source));
                var refrain = Refrain.using(store)) {
            var pay = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
            for (var key : List.of("first", "second")) {
                faults.failNext(1);
                var paid = pay.run(call(key), claim -> {
                    faults.failNext(1);
                    return "paid " + ran.incrementAndGet();
                });
                assertThat(pay.run(call(key), claim -> "again")).isEqualTo(paid);
            }
        }
        assertThat(ran).hasValue(2);
        assertThat(faults.failed()).isEqualTo(4);
        assertThat(sql.number("SELECT count(*) FROM refrain_record WHERE state = 2"))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void transactionalRunWhoseCommitFailsIsSettledByReading(boolean committed) throws Exception {
        var faults = new CommitFaults(committed);
        sql.execute("CREATE TABLE payment (id VARCHAR(50))");
        try (var store = JdbcStore.builder(faults.of(source))
                        .dedicatedDataSource(source)
                        .build();
                var refrain = Refrain.using(store)) {
            var pay = refrain.operation("pay", String.class).transactional(store.transactions());
            faults.failNext(1);
            if (committed) {
                assertThat(pay.run(call("k"), (claim, connection) -> insert(connection, "first")))
                        .isEqualTo("first");
            } else {
                assertThatThrownBy(() -> pay.run(call("k"), (claim, connection) -> insert(connection, "first")))
                        .isNotInstanceOf(OutcomeUnknownException.class);
            }
            assertThat(pay.run(call("k"), (claim, connection) -> insert(connection, "second")))
                    .isEqualTo(committed ? "first" : "second");
        }
        assertThat(faults.failed()).isEqualTo(1);
        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(1);
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
}
