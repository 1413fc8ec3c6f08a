package dev.refrain.reconcile;

import dev.refrain.BackgroundWorker;
import dev.refrain.Refrain;
import dev.refrain.api.BackgroundTask;
import dev.refrain.api.Outcome;
import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.ReconciliationStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Compares the calls that were sent with the ledgers of other systems, and lists the differences.
 *
 * {@snippet :
 * var reconciler = Reconciler.on(refrain, store.ledger());
 * reconciler.schedule(Duration.ofMinutes(10), "bank", bankLedger, ReconcilerSettings.DEFAULT);
 * for (LedgerFinding finding : reconciler.findings("bank", 100)) { … }
 * }
 *
 * <p>Our side are the calls of flows that have a {@link dev.refrain.flow.LedgerEntryMapping}, or a ledger of the application's own. Start it on
 * every instance, or on one. Uses the listener and environment of its {@link Refrain}. Immutable; safe for use by many threads.
 */
public final class Reconciler {

    private static final int PAGE = 500;

    private final Refrain refrain;
    private final ReconciliationStore<?> store;

    private Reconciler(Refrain refrain, ReconciliationStore<?> store) {
        this.refrain = refrain;
        this.store = store;
    }

    /** Returns a reconciler on the ledgers of a store. */
    public static Reconciler on(Refrain refrain, ReconciliationStore<?> store) {
        return new Reconciler(refrain, store);
    }

    /**
     * Reads a ledger to its end once, and opens and closes findings.
     *
     * @throws Exception thrown by the ledger; no finding was opened or closed
     */
    public ReconciliationReport reconcile(String name, LedgerReader theirs, ReconcilerSettings settings)
            throws Exception {
        return new LedgerComparison(name, store, refrain, settings).compare(Optional.empty(), theirs);
    }

    /** Reads the application's own ledger and the other system's once, and opens and closes findings. */
    public ReconciliationReport reconcile(
            String name, LedgerReader ours, LedgerReader theirs, ReconcilerSettings settings) throws Exception {
        return new LedgerComparison(name, store, refrain, settings).compare(Optional.of(ours), theirs);
    }

    /** Starts a worker that reconciles a ledger, until it or Refrain is closed. A ledger that cannot be read is reported and read again. */
    public BackgroundWorker schedule(Duration interval, String name, LedgerReader theirs, ReconcilerSettings settings) {
        return refrain.schedule(
                interval, task(new LedgerComparison(name, store, refrain, settings), Optional.empty(), theirs));
    }

    /** Starts a worker that reconciles the application's own ledger with the other system's. */
    public BackgroundWorker schedule(
            Duration interval, String name, LedgerReader ours, LedgerReader theirs, ReconcilerSettings settings) {
        return refrain.schedule(
                interval, task(new LedgerComparison(name, store, refrain, settings), Optional.of(ours), theirs));
    }

    private static BackgroundTask task(LedgerComparison comparison, Optional<LedgerReader> ours, LedgerReader theirs) {
        return new BackgroundTask() {
            @Override
            public String name() {
                return "reconciler";
            }

            @Override
            public boolean runStep() {
                comparison.compareAndReport(ours, theirs);
                return false;
            }
        };
    }

    /** Lists the oldest open findings. */
    public List<LedgerFinding> findings(String name, int limit) {
        return store.findings(name, null, limit);
    }

    /**
     * Lists open findings, oldest first.
     *
     * @param after the last one of the previous page
     */
    public List<LedgerFinding> findings(String name, LedgerFinding after, int limit) {
        return store.findings(name, after, limit);
    }

    /** Finds the flow that needs attention because of this call. */
    public Optional<AttentionItem> attentionItem(LedgerFinding finding) {
        return finding.recordId().flatMap(this::attentionItem);
    }

    /**
     * Resolves the waiting flow of a call that happened, as the ledger shows, with its outcome, and closes the finding.
     *
     * @return false if no flow waits, or it has changed
     * @throws IllegalArgumentException if the ledger does not show the call
     */
    public boolean resolve(LedgerFinding finding, Outcome outcome, String who, String why) {
        return resolve(finding, item -> refrain.admin().resolve(item.claim(), outcome, who, why), who, why);
    }

    /** Resolves the waiting flow with an outcome that is kept as long as {@code outcomeRetention} of the flow says. */
    public boolean resolve(LedgerFinding finding, Outcome outcome, Retention kept, String who, String why) {
        return resolve(finding, item -> refrain.admin().resolve(item.claim(), outcome, kept, who, why), who, why);
    }

    private boolean resolve(LedgerFinding finding, Predicate<AttentionItem> resolve, String who, String why) {
        if (finding.theirs().isEmpty()) {
            throw new IllegalArgumentException("Cannot resolve finding " + finding.kind() + ": the ledger "
                    + finding.ledger() + " does not show it. Release it instead if it did not happen.");
        }
        boolean resolved = attentionItem(finding).filter(resolve).isPresent();
        if (resolved) {
            discard(finding, who, why);
        }
        return resolved;
    }

    /**
     * Releases the waiting flow of a call that did not happen, as the ledger shows: the flow sends it again.
     *
     * @return false if no flow waits, or it has changed
     * @throws IllegalArgumentException if the ledger shows the call, or the other system confirmed it
     */
    public boolean release(LedgerFinding finding, String who, String why) {
        if (finding.kind() != LedgerFinding.FindingKind.ONLY_OURS || finding.confirmed()) {
            throw new IllegalArgumentException("Cannot release finding " + finding.kind()
                    + (finding.confirmed() ? ", confirmed" : "") + ": the ledger " + finding.ledger()
                    + " does not show that the call did not happen. Ask the other system.");
        }
        return attentionItem(finding)
                .filter(item -> refrain.admin().release(item.claim(), who, why))
                .isPresent();
    }

    /**
     * Discards a finding: it is closed although nothing changed, until it becomes one of another kind. Audited.
     *
     * @return false if the finding has changed since it was listed
     */
    public boolean discard(LedgerFinding finding, String who, String why) {
        return store.dismiss(finding, who, why);
    }

    private Optional<AttentionItem> attentionItem(RecordId id) {
        Optional<AttentionItem> last = Optional.empty();
        List<AttentionItem> page;
        do {
            page = last.map(item -> refrain.admin().listAttention(item, PAGE))
                    .orElseGet(() -> refrain.admin().listAttention(PAGE));
            for (var item : page) {
                if (item.claim().id().equals(id)) {
                    return Optional.of(item);
                }
                last = Optional.of(item);
            }
        } while (page.size() == PAGE);
        return Optional.empty();
    }
}
