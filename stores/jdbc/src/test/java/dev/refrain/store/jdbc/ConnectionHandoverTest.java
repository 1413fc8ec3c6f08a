package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.ClaimRequestFixtures.acquired;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.claimRequest;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.payload;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.record;
import static dev.refrain.store.jdbc.ClaimRequestFixtures.retryOf;
import static dev.refrain.store.jdbc.JdbcTransactionTestBase.pay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many callers and one connection: whoever commits hands it on. */
class ConnectionHandoverTest extends SingleConnectionTestBase {

    @Test
    void underLoadARunTakesNoMoreRoundTripsThanItsWorkAlone() throws Exception {
        var backends = ConcurrentHashMap.<Connection>newKeySet();
        close(store);
        store = over(one).handoverClock(() -> 0, Duration.ofMinutes(1)).build();
        var holder = first(claimRequest("first"));
        var runs = queueUp(backends::add);
        int before = proxy.sent();
        holder.close();
        allWritten(runs);

        // Alone it would be three for each, and a rollback or two. The first few come through the pool.
        assertThat(proxy.sent() - before).isLessThan(CALLERS * 5 / 2 + 4);
        assertThat(backends).as("each work has a connection object of its own").hasSize(CALLERS);
        paidOnceEach();
    }

    @Test
    void refusedCompletionFailsNoOtherRun() throws Exception {
        var wish = claimRequest("first");
        var holder = store.transactions().begin();
        var record = record(holder.tryClaim(wish), true);
        var runs = queueUp(connection -> {});
        acquired(separateStore, retryOf(wish));

        assertThat(holder.completeAndCommit(wish, record, payload("late")))
                .isInstanceOf(RecordWriteResponse.Refused.class);
        holder.close();

        allWritten(runs);
        paidOnceEach();
    }

    @Test
    void connectionThatIsLostOnTheWayIsInDoubtForTheOneWhoCommittedAndForNobodyElse() throws Exception {
        var wish = claimRequest("first");
        var holder = store.transactions().begin();
        var record = record(holder.tryClaim(wish), true);
        var runs = queueUp(connection -> {});
        proxy.loseReplies();

        assertThatThrownBy(() -> holder.completeAndCommit(wish, record, payload("paid")))
                .asInstanceOf(type(StoreException.class))
                .extracting(StoreException::effect)
                .isEqualTo(Effect.UNKNOWN);
        proxy.heal();
        holder.close();

        allWritten(runs);
        paidOnceEach();
    }

    @Test
    void connectionThatTheWorkHasChangedGoesBackToItsPoolFirst() throws Exception {
        var holder = first(claimRequest("first"));
        var timeouts = ConcurrentHashMap.<Integer>newKeySet();
        var runs = queueUp(connection -> {
            timeouts.add(connection.getNetworkTimeout());
            connection.setNetworkTimeout(Runnable::run, 60_000);
        });
        holder.close();
        allWritten(runs);

        assertThat(timeouts).containsExactly(0);
        paidOnceEach();
    }

    @Test
    void statementKeptByTheWorkReachesNobodyElsesTransaction() throws Exception {
        var kept = ConcurrentHashMap.<Statement>newKeySet();
        var connections = ConcurrentHashMap.<Connection>newKeySet();
        var holder = first(claimRequest("first"));
        var runs = queueUp(connection -> {
            connections.add(connection);
            kept.add(connection.prepareStatement("INSERT INTO payment VALUES ('stray')"));
        });
        holder.close();
        allWritten(runs);

        for (var statement : kept) {
            assertThat(statement.isClosed()).isTrue();
        }
        for (var connection : connections) {
            assertThat(connection.isClosed()).isTrue();
            assertThatThrownBy(connection::createStatement).hasMessageContaining("over");
        }
        paidOnceEach();
    }

    @Test
    void workCannotEndItsTransaction() throws Exception {
        for (Work ending : List.<Work>of(
                Connection::commit,
                Connection::rollback,
                Connection::close,
                c -> c.createStatement().getConnection().commit(),
                c -> c.getMetaData().getConnection().commit(),
                c -> c.createStatement()
                        .executeQuery("SELECT 1")
                        .getStatement()
                        .getConnection()
                        .commit(),
                c -> c.setAutoCommit(true),
                c -> c.abort(Runnable::run))) {
            assertThatThrownBy(() -> run(claimRequest("k"), ending))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("not the work's to call");
        }
        assertThat(run(claimRequest("k"), c -> c.rollback(c.setSavepoint())))
                .isEqualTo(new RecordWriteResponse.Written());
        assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(1);
    }

    @Test
    void runThatHasToAskAgainKeepsItsConnectionAndGivesItBack() throws Exception {
        try (var refrain = Refrain.using(store)) {
            var call = OperationCall.scope("tenant").key("key").request("{\"amount\":1}");
            assertThatThrownBy(() -> refrain.operation("pay", String.class)
                            .leased(LeaseExpiryPolicy.RESUME)
                            .run(call, claim -> {
                                throw new IllegalStateException("released");
                            }))
                    .isInstanceOf(IllegalStateException.class);
            var later = refrain.operation("pay", String.class)
                    .fingerprinter(RequestFingerprinter.builder()
                            .ignoredFields("/note")
                            .build())
                    .transactional(store.transactions());

            assertThat(later.run(call, (claim, connection) -> "ran")).isEqualTo("ran");
            assertThat(one.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void workThatLeavesAnInterruptBehindIsSettledAllTheSame() throws Exception {
        try (var refrain = Refrain.using(store)) {
            var pay = refrain.operation("pay", String.class).transactional(store.transactions());
            var interrupted = threads.submit(() -> {
                var answer = pay.run(OperationCall.scope("tenant").key("key").request("x"), (claim, connection) -> {
                    pay(connection, "k");
                    Thread.currentThread().interrupt();
                    return "paid";
                });
                return answer + ", interrupted: " + Thread.interrupted();
            });
            assertThat(interrupted.get(1, TimeUnit.MINUTES)).isEqualTo("paid, interrupted: true");
            assertThat(sql.number("SELECT count(*) FROM payment")).isEqualTo(1);
        }
    }
}
