package dev.refrain.benchmarks;

import dev.refrain.Leased;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.Store;
import dev.refrain.store.TakeOver;
import java.util.List;

/** Leased calls whose work is elsewhere and costs nothing here: what is left is what the store costs. */
final class SqliteSide implements Side {

    private final String name;
    private final Store store;
    private final Batches batches = new Batches();
    private final Refrain refrain;
    private final Leased<Outcome.Answer> operation;

    SqliteSide(String name, Store store) {
        this.name = name;
        this.store = store;
        refrain = Refrain.using(store, Settings.standard().with(batches));
        operation = refrain.operation(Traffic.OPERATION).leased(TakeOver.RESUME);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void once() {
        operation.run(Traffic.call(), claim -> Traffic.answer());
    }

    List<Reading> readings() {
        return List.of(batches.rowsPer("claims"), batches.rowsPer("writes"));
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
    }
}
