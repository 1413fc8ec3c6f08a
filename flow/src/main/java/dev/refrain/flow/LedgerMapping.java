package dev.refrain.flow;

import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * In which ledger of another system a call will be seen, so that a reconciler can look for it there. That it is about to be sent is written
 * down in the transaction that announces the call.
 *
 * @param ledger its name here
 * @param amount in the smallest unit; computed from where the flow stands, so always the same
 * @param isEntered whether an answer says that it was entered there; a declined card is not
 */
public record LedgerMapping<R, A>(String ledger, ToLongFunction<PhaseContext<R>> amount, Predicate<A> isEntered) {

    public static <R, A> LedgerMapping<R, A> inLedger(String ledger, ToLongFunction<PhaseContext<R>> amount) {
        return new LedgerMapping<>(ledger, amount, answer -> true);
    }

    public LedgerMapping<R, A> exceptWhen(Predicate<A> notBooked) {
        return new LedgerMapping<>(ledger, amount, notBooked.negate());
    }
}
