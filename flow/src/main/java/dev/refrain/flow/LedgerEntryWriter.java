package dev.refrain.flow;

import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.ReconciliationStore;
import java.util.Optional;

/** Writes the entry that a ledger is expected to show for a foreign call. */
record LedgerEntryWriter<R, C, A>(LedgerEntryMapping<R, A> seen, ReconciliationStore<C> ledgers) {

    /** Returns a writer for a call that has a ledger mapping. */
    static <R, C, A> Optional<LedgerEntryWriter<R, C, A>> of(
            PhaseDefinition.ForeignCallPhase<R, ?, C, A> foreign, String flow, FlowContext<C> context) {
        return foreign.ledgerMapping().map(seen -> new LedgerEntryWriter<>(seen, context.ledgersFor(flow)));
    }

    void announce(C tx, PhaseContext<R> at) {
        var entry = new ExpectedLedgerEntry(
                key(at),
                Optional.of(at.recordId()),
                Optional.of(at.point()),
                seen.amount().applyAsLong(at),
                Optional.of(at.scope()),
                at.subject());
        ledgers.announce(tx, seen.ledger(), entry);
    }

    void answered(C tx, PhaseContext<R> at, A answer) {
        if (seen.isEntered().test(answer)) {
            ledgers.confirm(tx, seen.ledger(), key(at));
        } else {
            withdraw(tx, at);
        }
    }

    void withdraw(C tx, PhaseContext<R> at) {
        ledgers.withdraw(tx, seen.ledger(), key(at));
    }

    private String key(PhaseContext<R> at) {
        return at.recordId().keyFor(at.point());
    }
}
