package dev.refrain.benchmarks;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.InProgressException;
import dev.refrain.api.Outcome;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

/** Runs the handler transactional: the key's lock, the handler's write and the outcome in one transaction. */
final class TransactionalWorkload implements BenchmarkWorkload {

    private final BenchmarkPaymentApp shop;
    private final JdbcStore store;
    private final Refrain refrain;
    private final TransactionalOperation<Outcome.Answer, Connection> operation;
    private final Supplier<OperationCall> traffic;
    private final int answerBytes;

    TransactionalWorkload(String url) throws SQLException {
        this(url, RefrainSettings.defaults());
    }

    TransactionalWorkload(String url, RefrainSettings settings) throws SQLException {
        this(url, settings, SampleTraffic::call, SampleTraffic.OUTCOME_BYTES);
    }

    private TransactionalWorkload(
            String url, RefrainSettings settings, Supplier<OperationCall> traffic, int answerBytes)
            throws SQLException {
        this.traffic = traffic;
        this.answerBytes = answerBytes;
        shop = BenchmarkPaymentApp.on(url);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store, settings);
        operation = refrain.operation(SampleTraffic.OPERATION).transactional(store.transactions());
    }

    /** Runs the handler with answers of this size, and records that explain themselves. */
    static TransactionalWorkload answering(String url, int answerBytes) throws SQLException {
        return new TransactionalWorkload(url, RefrainSettings.defaults(), SampleTraffic::explainedCall, answerBytes);
    }

    @Override
    public String name() {
        return "transactional";
    }

    @Override
    public void callOnce() throws SQLException {
        complete(traffic.get());
    }

    void complete(OperationCall call) throws SQLException {
        operation.run(call, (claim, connection) -> {
            shop.pay(connection);
            return SampleTraffic.answer(answerBytes);
        });
    }

    /** Retries a completed key. */
    void replay(OperationCall call) throws SQLException {
        operation.run(call, (claim, connection) -> {
            throw new MeasurementFailedException("A replay ran the handler.");
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
                throw new MeasurementFailedException("A twin ran beside the first one.");
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
