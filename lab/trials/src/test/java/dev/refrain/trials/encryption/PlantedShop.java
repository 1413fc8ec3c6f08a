package dev.refrain.trials.encryption;

import static dev.refrain.trials.encryption.PlantedWords.name;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.flow.FlowRunner;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.jobs.KeyedJobQueue;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.OutboxStore;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** An application on an encrypted store that plants a word wherever a word can be given, in every way to run and to fail. */
record PlantedShop(
        PlantedWords words,
        DataSource source,
        JdbcStore inner,
        EncryptingStore store,
        Refrain refrain,
        OutboxStore<Connection> rows,
        Outbox<Connection> outbox,
        FlowRunner<Connection> flows,
        KeyedJobQueue<Connection> jobs)
        implements AutoCloseable {

    static PlantedShop on(DataSource source, PlantedWords words, String instance) {
        return on(source, JdbcStore.on(source), words, instance);
    }

    static PlantedShop on(DataSource source, JdbcStore inner, PlantedWords words, String instance) {
        var store = EncryptingStore.around(inner, EncryptionKeyRing.of(PlantedWords.KEY_ID, new byte[32]));
        var refrain = Refrain.using(store, RefrainSettings.defaults().instanceName(name(instance)));
        var rows = store.outbox(inner.outbox());
        var transactions = store.transactions(inner.transactions());
        return new PlantedShop(
                words,
                source,
                inner,
                store,
                refrain,
                rows,
                Outbox.on(refrain, rows),
                FlowRunner.on(refrain, transactions).withLedgers(inner.ledger()),
                KeyedJobQueue.on(refrain, transactions, rows));
    }

    /** Waits as long as a busy machine may take. */
    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }

    String secret(String what) {
        return words.secret(what);
    }

    void runAndFailInEveryWay() throws Exception {
        var operations = new PlantedOperations(this);
        var flows = new PlantedFlows(this);
        var sagas = new PlantedSagas(this);
        var deliveries = new PlantedDeliveries(this, sagas);
        operations.run();
        operations.loseLeases();
        new PlantedEdge(this).run();
        flows.run();
        sagas.begin();
        deliveries.run();
        sagas.end();
        flows.reconcile();
        deliveries.decide();
        operations.decide();
        operations.erase();
    }

    @Override
    public void close() {
        refrain.close();
        inner.close();
    }
}
