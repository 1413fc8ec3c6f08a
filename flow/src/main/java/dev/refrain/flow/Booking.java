package dev.refrain.flow;

import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.ledger.OurEntry;
import java.util.Optional;

/** Writes down, beside a call, what its ledger is expected to show. */
record Booking<R, C, A>(Seen<R, A> seen, LedgerStore<C> ledgers) {

    /** Of a call that is seen nowhere there is nothing to write. */
    static <R, C, A> Optional<Booking<R, C, A>> of(Step.Foreign<R, C, A> foreign, String flow, Means<C> means) {
        return foreign.seen().map(seen -> new Booking<>(seen, means.ledgersFor(flow)));
    }

    void announce(C tx, At<R> at) {
        var entry = new OurEntry(
                key(at),
                Optional.of(at.recordId()),
                Optional.of(at.point()),
                seen.amount().applyAsLong(at));
        ledgers.announce(tx, seen.ledger(), entry);
    }

    void answered(C tx, At<R> at, A answer) {
        if (seen.isEntered().test(answer)) {
            ledgers.confirm(tx, seen.ledger(), key(at));
        } else {
            withdraw(tx, at);
        }
    }

    void withdraw(C tx, At<R> at) {
        ledgers.withdraw(tx, seen.ledger(), key(at));
    }

    private String key(At<R> at) {
        return at.recordId().keyFor(at.point());
    }
}
