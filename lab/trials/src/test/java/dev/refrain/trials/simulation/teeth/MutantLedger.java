package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerCheckResult;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerReadPass;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Correct ledgers whose subclasses break one thing. */
abstract class MutantLedger<C> implements ReconciliationStore<C> {

    private final ReconciliationStore<C> ledgers;

    MutantLedger(ReconciliationStore<C> ledgers) {
        this.ledgers = ledgers;
    }

    @Override
    public void announce(C connection, String ledger, ExpectedLedgerEntry entry) {
        ledgers.announce(connection, ledger, entry);
    }

    @Override
    public void confirm(C connection, String ledger, String key) {
        ledgers.confirm(connection, ledger, key);
    }

    @Override
    public void withdraw(C connection, String ledger, String key) {
        ledgers.withdraw(connection, ledger, key);
    }

    @Override
    public void addExpected(String ledger, List<ExpectedLedgerEntry> entries) {
        ledgers.addExpected(ledger, entries);
    }

    @Override
    public void addReported(String ledger, List<ReportedLedgerEntry> entries) {
        ledgers.addReported(ledger, entries);
    }

    @Override
    public LedgerReadPass beginPass(String ledger, Duration reach, Duration overlap) {
        return ledgers.beginPass(ledger, reach, overlap);
    }

    @Override
    public void completePass(String ledger, Instant begun) {
        ledgers.completePass(ledger, begun);
    }

    @Override
    public LedgerCheckResult check(LedgerCheckRequest order) {
        return ledgers.check(order);
    }

    @Override
    public List<LedgerFinding> findings(String ledger, @Nullable LedgerFinding after, int limit) {
        return ledgers.findings(ledger, after, limit);
    }

    @Override
    public boolean dismiss(LedgerFinding finding, String who, String why) {
        return ledgers.dismiss(finding, who, why);
    }

    @Override
    public int reap(String ledger, Duration agreedFor, int limit) {
        return ledgers.reap(ledger, agreedFor, limit);
    }
}
