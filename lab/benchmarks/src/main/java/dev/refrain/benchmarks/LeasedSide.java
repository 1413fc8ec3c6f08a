package dev.refrain.benchmarks;

import dev.refrain.Call;
import dev.refrain.Leased;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.Store;
import dev.refrain.store.TakeOver;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.List;

/** The handler run leased: claim, the same transaction as ever, completion. The store's lanes share the handler's pool. */
final class LeasedSide implements Side {

    private final String name;
    private final Shop shop;
    private final JdbcStore store;
    private final Batches batches = new Batches();
    private final Refrain refrain;
    private final Leased<Outcome.Answer> operation;

    LeasedSide(String name, String url, Settings settings) throws SQLException {
        this.name = name;
        shop = Shop.on(url);
        store = JdbcStore.on(shop.pool());
        refrain = Refrain.using(store, settings.with(batches));
        operation = refrain.operation(Traffic.OPERATION).leased(TakeOver.RESUME);
    }

    LeasedSide(String url) throws SQLException {
        this("leased", url, Settings.defaults());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void callOnce() throws SQLException {
        operation.run(Traffic.call(), claim -> {
            shop.pay();
            return Traffic.answer();
        });
    }

    /** Lets this key be done with, without a payment. */
    void complete(Call call) {
        operation.run(call, claim -> Traffic.answer());
    }

    /** Retries a key that is done with. */
    void replay(Call call) {
        operation.run(call, claim -> {
            throw new BenchException("A replay ran the handler.");
        });
    }

    Store store() {
        return store;
    }

    Shop shop() {
        return shop;
    }

    /** How well the lanes batch: what decides the cost. */
    List<Reading> readings() {
        return List.of(batches.rowsPer("claims"), batches.rowsPer("writes"));
    }

    @Override
    public void warm() {
        batches.forget();
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
        shop.close();
    }
}
