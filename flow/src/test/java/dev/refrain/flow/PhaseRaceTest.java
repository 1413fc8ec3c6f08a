package dev.refrain.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.OperationResult;
import dev.refrain.servers.FlowTestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the database takes back because of a race is run again: the phase's body may run twice, and commits once. */
class PhaseRaceTest extends OrderFlowFixture {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }

    @BeforeEach
    void openAccounts() throws SQLException {
        onTheSide("CREATE TABLE accounts (id VARCHAR(10) PRIMARY KEY, balance INT)");
        onTheSide("INSERT INTO accounts VALUES ('a', 0), ('b', 0)");
    }

    private void onTheSide(String sql) throws SQLException {
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void add(Connection tx, String account) throws SQLException {
        execute(tx, "UPDATE accounts SET balance = balance + 1 WHERE id = ?", account);
    }

    private long balance(String account) throws SQLException {
        return count("accounts, generate_series(1, balance) WHERE id = '" + account + "'");
    }

    @Test
    void serialisationFailureRunsThePhaseAgain() throws Exception {
        var runs = new AtomicInteger();
        var flow = Flow.of("transfer", OrderRequest.class, Object.class)
                .phase("started", (tx, at) -> {
                    try (var statement = tx.createStatement()) {
                        statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
                        statement.execute("SELECT balance FROM accounts");
                    }
                    if (runs.incrementAndGet() == 1) {
                        onTheSide("UPDATE accounts SET balance = 10 WHERE id = 'a'");
                    }
                    add(tx, "a");
                    return PhaseResult.finish(200, "done");
                })
                .build();

        assertThat(body(flows.runForResult(flow, request("k")))).isEqualTo("200 done");

        assertThat(runs).hasValue(2);
        assertThat(balance("a")).isEqualTo(11);
    }

    @Test
    void deadlockRunsThePhaseAgain() throws Exception {
        var runs = new AtomicInteger();
        var bothHoldOne = new CyclicBarrier(2);
        var there = new FutureTask<>(() -> flows.runForResult(transfer("a", "b", runs, bothHoldOne), request("there")));
        Thread.ofVirtual().start(there);
        var back = flows.runForResult(transfer("b", "a", runs, bothHoldOne), request("back"));

        assertThat(there.get()).isInstanceOf(OperationResult.Ran.class);
        assertThat(back).isInstanceOf(OperationResult.Ran.class);
        assertThat(runs).hasValue(3);
        assertThat(balance("a")).isEqualTo(2);
        assertThat(balance("b")).isEqualTo(2);
    }

    private static Flow<OrderRequest, Object, Connection> transfer(
            String from, String to, AtomicInteger runs, CyclicBarrier bothHoldOne) {
        return Flow.of("transfer", OrderRequest.class, Object.class)
                .phase("started", (tx, at) -> {
                    boolean first = runs.incrementAndGet() <= 2;
                    add(tx, from);
                    if (first) {
                        bothHoldOne.await();
                    }
                    add(tx, to);
                    return PhaseResult.finish(200, "done");
                })
                .build();
    }
}
