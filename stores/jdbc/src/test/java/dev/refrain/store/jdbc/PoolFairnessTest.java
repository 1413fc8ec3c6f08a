package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.phase.PhaseTransition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactional runs, and phases, on pools other than HikariCP: scopes get connections in turn. */
class PoolFairnessTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int FLOOD = 12;

    private final String url = TestDatabases.emptiedPostgres();
    private static final Outcome.Answer PAID = Outcome.Answer.of(200, new byte[0]);

    private final List<String> served = new CopyOnWriteArrayList<>();
    private final List<FutureTask<Void>> runs = new ArrayList<>();

    /** Pays, and tells when it is about to wait for a connection. */
    @FunctionalInterface
    private interface Payment {
        void pay(OperationCall call, Runnable beforeConnection) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void transactionOfAnotherScopeOvertakesAFlood(OtherPool kind) throws Exception {
        overtake(kind, (refrain, store) -> {
            var pay = refrain.operation("pay", String.class).storeTimeout(LONG).transactional(store.transactions());
            return (call, beforeConnection) -> {
                beforeConnection.run();
                pay.run(call, (claim, connection) -> {
                    served.add(call.scope());
                    return "paid";
                });
            };
        });
    }

    @ParameterizedTest
    @EnumSource
    void phaseOfAnotherScopeOvertakesAFlood(OtherPool kind) throws Exception {
        overtake(kind, (refrain, store) -> {
            var pay = refrain.operation("pay").storeTimeout(LONG).phased(store.transactions());
            return (call, beforeConnection) -> pay.run(call, Payload.of(new byte[0]), claim -> {
                beforeConnection.run();
                claim.commit(connection -> {
                    served.add(call.scope());
                    return new PhaseTransition.Completion(PAID);
                });
                return PAID;
            });
        });
    }

    private void overtake(OtherPool kind, BiFunction<Refrain, JdbcStore, Payment> operation) throws Exception {
        try (var other = kind.open(url, LONG);
                var store = JdbcStore.builder(other.source())
                        .dedicatedDataSource(TestDatabases.postgres(url))
                        .handoverClock(System::nanoTime, LONG)
                        .build();
                var refrain = Refrain.using(store)) {
            var pay = operation.apply(refrain, store);
            try (var only = other.source().getConnection()) {
                assertThat(only.isValid(1)).isTrue();
                for (int i = 0; i < FLOOD; i++) {
                    queue(pay, "flood", "key-" + i);
                }
                queue(pay, "other", "key");
            }
            for (var run : runs) {
                run.get(60, TimeUnit.SECONDS);
            }
        }

        // Four of the flood were in the pool already, and some of it may be next in turn; without turns it would be the
        // last.
        assertThat(served.indexOf("other")).isLessThan(FLOOD - 2);
    }

    /** Starts a run, and waits until it waits for its connection. */
    private void queue(Payment pay, String scope, String key) {
        var beforeConnection = new AtomicBoolean();
        var run = new FutureTask<Void>(() -> {
            pay.pay(OperationCall.scope(scope).key(key).request("request"), () -> beforeConnection.set(true));
            return null;
        });
        runs.add(run);
        var thread = Thread.ofPlatform().start(run);
        await().until(() -> beforeConnection.get() && SingleConnectionTestBase.waits(thread));
    }
}
