package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactional runs on pools other than HikariCP: scopes get connections in turn. */
class PoolFairnessTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int FLOOD = 12;

    private final String url = TestDatabases.emptiedPostgres();
    private final List<String> served = new CopyOnWriteArrayList<>();
    private final List<FutureTask<String>> runs = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void callOfAnotherScopeOvertakesAFlood(OtherPool kind) throws Exception {
        try (var other = kind.open(url, LONG);
                var store = JdbcStore.builder(other.source())
                        .dedicatedDataSource(TestDatabases.postgres(url))
                        .handoverClock(System::nanoTime, LONG)
                        .build();
                var refrain = Refrain.using(store)) {
            var pay = refrain.operation("pay", String.class).storeTimeout(LONG).transactional(store.transactions());
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
    private void queue(TransactionalOperation<String, Connection> pay, String scope, String key) {
        var run = new FutureTask<>(
                () -> pay.run(OperationCall.scope(scope).key(key).request("request"), (claim, connection) -> {
                    served.add(scope);
                    return "paid";
                }));
        runs.add(run);
        var thread = Thread.ofPlatform().start(run);
        await().until(() -> SingleConnectionTestBase.waits(thread));
    }
}
