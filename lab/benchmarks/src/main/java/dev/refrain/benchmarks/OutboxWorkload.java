package dev.refrain.benchmarks;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;

/**
 * Stages a message in the handler's transaction, which a relay in the same process delivers. A call ends when a message is delivered and
 * settled, so that as many are delivered as are staged.
 */
final class OutboxWorkload implements BenchmarkWorkload {

    private static final String TOPIC = "payments";

    private final BenchmarkPaymentApp shop;
    private final JdbcStore store;
    private final Refrain refrain;
    private final Outbox<Connection> outbox;
    private final Relay relay;
    private final Semaphore delivered = new Semaphore(0);
    private final Semaphore handled = new Semaphore(0);

    OutboxWorkload(String url) throws SQLException {
        shop = BenchmarkPaymentApp.on(url);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store, RefrainSettings.defaults().with(event -> {
            if (event instanceof RefrainEvent.Delivered) {
                delivered.release();
            }
        }));
        outbox = Outbox.on(refrain, store.outbox());
        relay = Relay.on(refrain, store.outbox())
                .handle(TopicSettings.of(TOPIC), (tx, delivery) -> handled.release())
                .start();
    }

    @Override
    public String name() {
        return "staged and delivered";
    }

    @Override
    public void callOnce() throws Exception {
        stage();
        delivered.acquire();
        handled.drainPermits();
    }

    private void stage() throws SQLException {
        shop.pay(connection -> outbox.stage(connection, TOPIC, SampleTraffic.body()));
    }

    /** Returns the milliseconds between a lone message's commit and its delivery. */
    double handledAfter() throws Exception {
        handled.drainPermits();
        stage();
        long committed = System.nanoTime();
        handled.acquire();
        double after = (System.nanoTime() - committed) / 1e6;
        delivered.acquire();
        return after;
    }

    @Override
    public void close() {
        relay.close();
        refrain.close();
        store.close();
        shop.close();
    }
}
