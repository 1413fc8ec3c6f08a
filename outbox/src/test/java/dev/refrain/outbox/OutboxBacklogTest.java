package dev.refrain.outbox;

import static dev.refrain.servers.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.OutboxStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** A backlog is worked off in bounded memory, and leaves no table behind that grows. */
class OutboxBacklogTest extends RelayFixture {

    private static final int MESSAGES = Boolean.getBoolean("tests.long") ? 1_000_000 : 20_000;
    private static final int MOST_AT_A_TIME = 2_000;

    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong most = new AtomicLong();

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.postgres();
    }

    /** The outbox, counting the rows it has handed out. */
    @SuppressWarnings("unchecked")
    private OutboxStore<Connection> counting() {
        return (OutboxStore<Connection>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, arguments) -> {
                    try {
                        var answer = method.invoke(rows, arguments);
                        if (method.getName().equals("leaseMessages")) {
                            long now = taken.addAndGet(((List<LeasedMessage>) answer).size());
                            most.accumulateAndGet(now, Math::max);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void largeBacklogIsWorkedOffAFewAtATime() {
        execute("INSERT INTO refrain_outbox (id, topic, staged_at, due_at, payload)"
                + " SELECT gen_random_uuid(), 't', now(), now(), decode(repeat('00', 200), 'hex')"
                + " FROM generate_series(1, " + MESSAGES + ")");
        var handled = new LongAdder();
        var settings = RefrainSettings.defaults().with(event -> taken.decrementAndGet());
        try (var counted = Refrain.using(store, settings)) {
            started(Relay.on(counted, counting()).handle("t", (tx, delivery) -> handled.increment()));
            await().atMost(Duration.ofMinutes(10)).until(() -> waiting("t") == 0);
        }
        assertThat(handled.sum()).isEqualTo(MESSAGES);
        assertThat(most).hasValueLessThanOrEqualTo(MOST_AT_A_TIME);
    }

    /** What went through leaves room that the next ones use. */
    @Test
    void tableStaysAsLargeAsItsBacklog() throws Exception {
        started(relay().handle("t", (tx, delivery) -> {}));
        long afterFirst = 0;
        for (int round = 0; round < 6; round++) {
            execute("INSERT INTO refrain_outbox (id, topic, staged_at, due_at, payload)"
                    + " SELECT gen_random_uuid(), 't', now(), now(), decode(repeat('00', 200), 'hex')"
                    + " FROM generate_series(1, 2000)");
            await().until(() -> waiting("t") == 0);
            execute("VACUUM refrain_outbox");
            afterFirst = round == 0 ? size() : afterFirst;
        }
        assertThat(size()).isLessThanOrEqualTo(2 * Math.max(afterFirst, 1 << 20));
    }

    private long size() throws Exception {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT pg_total_relation_size('refrain_outbox')")) {
            result.next();
            return result.getLong(1);
        }
    }
}
