package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.jdbc.spi.TransactionSource;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a store hands out may be asked for as often as one likes: the store is the only thing to close. */
class PerCallObjectsTest extends PostgresTestBase {

    private static final int OFTEN = 1_000;

    private final TransactionSource managed = () -> {
        throw new AssertionError("Nothing is begun here");
    };

    private final List<Supplier<Object>> handedOut = List.of(
            store::outbox,
            store::transactions,
            store::ledger,
            store::outboxBrowser,
            store::recordBrowser,
            () -> store.outbox(managed),
            () -> store.transactions(managed),
            () -> store.transactions().begin(),
            () -> store.ability(OutboxStore.class).orElseThrow(),
            () -> store.ability(OutboxBrowser.class).orElseThrow(),
            () -> store.ability(StoreTransactionFactory.class).orElseThrow(),
            () -> store.ability(ReconciliationStore.class).orElseThrow());

    @Test
    void perCallObjectIsSharedOrCollectable() {
        for (var asked : handedOut) {
            var first = asked.get();
            if (asked.get() != first) {
                var one = new WeakReference<>(asked.get());
                await().until(() -> {
                    System.gc();
                    return one.get() == null;
                });
            }
        }
    }

    @Test
    void perCallObjectOpensNoConnection() {
        int held = store.heldConnections();
        long sessions = sessions();
        var threads = Thread.getAllStackTraces().keySet();
        var all = new ArrayList<Object>();
        for (var asked : handedOut) {
            for (int i = 0; i < OFTEN; i++) {
                all.add(asked.get());
            }
        }

        assertThat(all).hasSize(OFTEN * handedOut.size());
        assertThat(store.heldConnections()).isEqualTo(held);
        assertThat(sessions()).isEqualTo(sessions);
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !threads.contains(thread))
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("refrain")))
                .isEmpty();
    }

    private long sessions() {
        return sql.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()");
    }
}
