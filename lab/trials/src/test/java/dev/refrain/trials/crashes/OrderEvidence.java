package dev.refrain.trials.crashes;

import static org.awaitility.Awaitility.await;

import dev.refrain.Refrain;
import dev.refrain.api.ScopedKey;
import dev.refrain.reconcile.LedgerReader;
import dev.refrain.reconcile.Reconciler;
import dev.refrain.reconcile.ReconcilerSettings;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Evidence of an order: its rows here, and the provider's ledger. */
final class OrderEvidence implements AutoCloseable {

    private static final ReconcilerSettings AT_ONCE =
            new ReconcilerSettings(Duration.ZERO, Duration.ofMinutes(1), Duration.ofDays(1), Duration.ofDays(7), 100);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
    private static final Duration JUDGED_WITHIN = Duration.ofMinutes(10);

    /** Last entry of the ledger: once it is old enough to be found, so are all before it. */
    private static final ReportedLedgerEntry STRANGER = new ReportedLedgerEntry("stranger", "stranger", 1);

    private final OrderTrial order;
    private final JdbcStore store;
    private final Refrain refrain;

    OrderEvidence(OrderTrial order) {
        this.order = order;
        store = JdbcStore.on(order.database().source());
        refrain = Refrain.using(store);
    }

    Optional<StoredRecord> record() {
        return store.find(List.of(new ScopedKey(OrderTrial.SCOPE, order.key(), order.key())))
                .getFirst();
    }

    /** Returns the findings of the reconciler. */
    List<LedgerFinding> reconciled() {
        var reconciler = Reconciler.on(refrain, store.ledger());
        var found = new ArrayList<LedgerFinding>();
        await().pollDelay(Duration.ZERO)
                .pollInterval(LOOK_AGAIN)
                .atMost(JUDGED_WITHIN)
                .until(() -> {
                    reconciler.reconcile(order.key(), theirs(), AT_ONCE);
                    found.clear();
                    found.addAll(reconciler.findings(order.key(), null, 100));
                    return found.removeIf(finding -> finding.key().equals(STRANGER.key()));
                });
        return found;
    }

    private LedgerReader theirs() {
        return (since, cursor, limit) -> {
            var entries = new ArrayList<>(new ProviderConnection(order.providerPort()).ledger(order));
            entries.add(STRANGER);
            return new LedgerReader.LedgerPage(entries, Optional.empty());
        };
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
    }
}
