package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.AbilityFlaw.instead;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.observe.RefrainEvent;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where replays are usual, their outcomes are looked up without a transaction; answers are the same either way. */
class TransactionalReplayTest {

    private static final int USUAL = 16;

    private final AtomicInteger borrowed = new AtomicInteger();
    private final String url = TestDatabases.emptiedPostgres();
    private final JdbcStore store = JdbcStore.builder(counting(TestDatabases.postgres(url)))
            .dedicatedDataSource(TestDatabases.postgres(url))
            .build();
    private final AtomicInteger lookups = new AtomicInteger();
    private final Refrain refrain = Refrain.using(
            store, RefrainSettings.defaults().with(CacheSettings.OFF).with(this::count));
    private final TransactionalOperation<String, Connection> operation =
            refrain.operation("pay", String.class).transactional(store.transactions());

    @AfterEach
    void close() {
        refrain.close();
        store.close();
    }

    private void count(RefrainEvent event) {
        if (event instanceof RefrainEvent.BatchSent batch && batch.batcher().equals("reads")) {
            lookups.incrementAndGet();
        }
    }

    private DataSource counting(DataSource source) {
        return instead(DataSource.class, source, "getConnection", (sound, none) -> {
            borrowed.incrementAndGet();
            return sound.getConnection();
        });
    }

    private String pay(String key, String request) throws Exception {
        return operation.run(
                OperationCall.scope("acme").key(key).request(request), (claim, connection) -> "paid " + request);
    }

    @Test
    void replaysNeedNoTransactionOnceTheyAreUsual() throws Exception {
        pay("k", "7 EUR");
        for (int i = 0; i < USUAL; i++) {
            assertThat(pay("k", "7 EUR")).isEqualTo("paid 7 EUR");
        }
        int before = borrowed.get();

        assertThat(pay("k", "7 EUR")).isEqualTo("paid 7 EUR");
        assertThatThrownBy(() -> pay("k", "8 EUR")).isInstanceOf(RequestMismatchException.class);
        assertThat(borrowed).hasValue(before);

        assertThat(pay("new", "9 EUR")).isEqualTo("paid 9 EUR");
        assertThat(borrowed).hasValueGreaterThan(before);
    }

    @Test
    void newKeysAreNotLookedForFirst() throws Exception {
        for (int i = 0; i < USUAL; i++) {
            pay("k" + i, "7 EUR");
        }

        assertThat(borrowed.get()).isGreaterThanOrEqualTo(USUAL);
        assertThat(pay("k0", "7 EUR")).isEqualTo("paid 7 EUR");
        assertThat(lookups).as("a lookup in vain costs a round trip").hasValue(0);
    }
}
