package dev.refrain.benchmarks;

import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.InProgressException;
import dev.refrain.api.Outcome;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;

/** Runs the handler transactional: the key's lock, the handler's write and the outcome in one transaction. */
final class TransactionalWorkload implements BenchmarkWorkload {

    private final BenchmarkShop shop;
    private final JdbcStore store;
    private final Refrain refrain;
    private final TransactionalOperation<Outcome.Answer, Connection> operation;

    TransactionalWorkload(String url) throws SQLException {
        shop = BenchmarkShop.on(url);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store);
        operation = refrain.operation(SampleTraffic.OPERATION).transactional(store.transactions());
    }

    @Override
    public String name() {
        return "transactional";
    }

    @Override
    public void callOnce() throws SQLException {
        operation.run(SampleTraffic.call(), (claim, connection) -> {
            shop.pay(connection);
            return SampleTraffic.answer();
        });
    }

    /** Returns the milliseconds until a concurrent duplicate is refused as in progress; fails if it is not. */
    double busyToldAfter() throws SQLException {
        var call = SampleTraffic.call();
        var told = new double[1];
        operation.run(call, (claim, connection) -> {
            long asked = System.nanoTime();
            try {
                operation.run(call, (twin, other) -> SampleTraffic.answer());
                throw new BenchException("A twin ran beside the first one.");
            } catch (InProgressException busy) {
                told[0] = (System.nanoTime() - asked) / 1e6;
            }
            return SampleTraffic.answer();
        });
        return told[0];
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
        shop.close();
    }
}
