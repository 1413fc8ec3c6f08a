package dev.refrain.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.Downstream;
import dev.refrain.api.OperationResult;
import dev.refrain.servers.FlowTestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PostgresFlowTest extends FlowContract {

    private final AtomicInteger answered = new AtomicInteger();

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }

    private Flow<OrderRequest, Object, Connection> charging(
            Flow.ResultPhase<OrderRequest, Object, Connection, String> result) {
        return Flow.of("charge", OrderRequest.class, Object.class)
                .<String>foreignCall(
                        "charging",
                        Downstream.notRetryable(),
                        call -> bank.charge(call.key(), call.request().amount()),
                        result)
                .build();
    }

    @Test
    void answerOfACallThatMayNotBeRepeatedOutlivesTheConnectionOfThePhaseThatStoresIt() throws Exception {
        var flow = charging((tx, at, charge) -> {
            if (answered.incrementAndGet() < 3) {
                execute(tx, "DO $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); END $$");
            }
            return PhaseResult.finish(201, charge);
        });

        assertThat(flows.runForResult(flow, request("k"))).isInstanceOf(OperationResult.Ran.class);
        assertThat(answered).hasValue(3);
        assertThat(bank.charges).hasValue(1);
    }

    /** It has no code, so that nobody knows what it says. */
    @Test
    void errorOfAnApplicationsOwnIsNoLostConnection() {
        var flow = charging((tx, at, charge) -> {
            answered.incrementAndGet();
            throw new SQLException("no such article");
        });

        assertThatThrownBy(() -> flows.runForResult(flow, request("k"))).hasMessage("no such article");
        assertThat(answered).hasValue(1);
    }
}
