package dev.refrain.benchmarks;

import dev.refrain.Leased;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.outcome.Outcome;
import dev.refrain.store.TakeOver;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.List;

/** Leased calls whose work is elsewhere and costs nothing here: what is left is what the store costs. */
final class SqliteSide implements Side {

    private final JdbcStore store;
    private final Batches batches = new Batches();
    private final Refrain refrain;
    private final Leased<Outcome.Answer> operation;

    SqliteSide(Path file) {
        store = JdbcStore.sqlite(file);
        refrain = Refrain.using(store, Settings.defaults().with(batches));
        operation = refrain.operation(Traffic.OPERATION).leased(TakeOver.RESUME);
    }

    @Override
    public String name() {
        return "batched";
    }

    @Override
    public void callOnce() {
        operation.run(Traffic.call(), claim -> Traffic.answer());
    }

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
    }
}
