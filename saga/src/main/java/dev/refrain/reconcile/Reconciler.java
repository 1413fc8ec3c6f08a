package dev.refrain.reconcile;

import dev.refrain.BackgroundWorker;
import dev.refrain.Refrain;
import dev.refrain.api.BackgroundTask;
import dev.refrain.api.Outcome;
import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Compares what we sent with what other systems' ledgers show.
 *
 * {@snippet :
 * var reconciler = Reconciler.on(refrain, store.ledgers());
 * reconciler.every(Duration.ofMinutes(10), "bank", bankLedger, ReconcilerSettings.DEFAULT);
 * for (LedgerFinding finding : reconciler.findings("bank", Optional.empty(), 100)) { … }
 * }
 *
 * <p>Our side is what flows wrote down of calls that are {@link dev.refrain.flow.LedgerMapping} in the ledger, or what the application shows as a
 * ledger of its own. To be started on every instance, or on one.
 */
public final class Reconciler {

    private static final int PAGE = 500;

    private final Refrain refrain;
    private final LedgerStore<?> store;

    private Reconciler(Refrain refrain, LedgerStore<?> store) {
        this.refrain = refrain;
        this.store = store;
    }

    public static Reconciler on(Refrain refrain, LedgerStore<?> store) {
        return new Reconciler(refrain, store);
    }

    /**
     * Reads the ledger once to its end and judges what does not agree.
     *
     * @throws Exception what the ledger threw: nothing was judged
     */
    public ReconciliationReport reconcile(String name, LedgerReader theirs, ReconcilerSettings how) throws Exception {
        return new LedgerComparison(name, store, refrain, how).compare(Optional.empty(), theirs);
    }

    /** The same, with what the application itself shows to have done. */
    public ReconciliationReport reconcile(String name, LedgerReader ours, LedgerReader theirs, ReconcilerSettings how)
            throws Exception {
        return new LedgerComparison(name, store, refrain, how).compare(Optional.of(ours), theirs);
    }

    /** Does so now and then until it or Refrain is closed. A ledger that cannot be read is reported and read again the next time. */
    public BackgroundWorker schedule(Duration pause, String name, LedgerReader theirs, ReconcilerSettings how) {
        return refrain.schedule(
                pause, chore(new LedgerComparison(name, store, refrain, how), Optional.empty(), theirs));
    }

    /** The same, with what the application itself shows to have done. */
    public BackgroundWorker schedule(
            Duration pause, String name, LedgerReader ours, LedgerReader theirs, ReconcilerSettings how) {
        return refrain.schedule(
                pause, chore(new LedgerComparison(name, store, refrain, how), Optional.of(ours), theirs));
    }

    private static BackgroundTask chore(LedgerComparison comparison, Optional<LedgerReader> ours, LedgerReader theirs) {
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

    /** What does not agree, oldest first; pass the last one of a page to get the next. */
    public List<LedgerFinding> findings(String name, Optional<LedgerFinding> after, int limit) {
        return store.findings(name, after, limit);
    }

    /** The flow that waits for a decision because of this call, if one does. */
    public Optional<AttentionItem> attentionItem(LedgerFinding finding) {
        return finding.recordId().flatMap(this::attentionItem);
    }

    /**
     * It happened, as the ledger shows: the flow that waits has ended with this outcome, and the finding is closed. False if none
     * waits, or it moved on.
     *
     * @throws IllegalArgumentException if the ledger does not show it
     */
    public boolean resolve(LedgerFinding finding, Outcome outcome, String who, String why) {
        return resolve(finding, item -> refrain.admin().resolve(item.claim(), outcome, who, why), who, why);
    }

    /** The same, with the outcome kept as long as the flow says ({@code outcomeKept}), counted from the flow's beginning. */
    public boolean resolve(LedgerFinding finding, Outcome outcome, Retention kept, String who, String why) {
        return resolve(finding, item -> refrain.admin().resolve(item.claim(), outcome, kept, who, why), who, why);
    }

    private boolean resolve(LedgerFinding finding, Predicate<AttentionItem> resolve, String who, String why) {
        if (finding.theirs().isEmpty()) {
            throw new IllegalArgumentException(
                    "The ledger " + finding.ledger() + " does not show it: " + finding.kind());
        }
        boolean resolved = attentionItem(finding).filter(resolve).isPresent();
        if (resolved) {
            discard(finding, who, why);
        }
        return resolved;
    }

    /**
     * It did not happen, as the ledger shows: the flow that waits sends it again. False if none waits, or it moved on.
     *
     * @throws IllegalArgumentException if the ledger shows it, or we were told that it happened
     */
    public boolean release(LedgerFinding finding, String who, String why) {
        if (finding.kind() != LedgerFinding.FindingKind.ONLY_OURS || finding.confirmed()) {
            throw new IllegalArgumentException("The ledger " + finding.ledger()
                    + " does not say that it did not happen: " + finding.kind()
                    + (finding.confirmed() ? ", confirmed." : "."));
        }
        return attentionItem(finding)
                .filter(item -> refrain.admin().release(item.claim(), who, why))
                .isPresent();
    }

    /** Closes a finding although nothing changed; audited. False if it is not as it was looked at. */
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
