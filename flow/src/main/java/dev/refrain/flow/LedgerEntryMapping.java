package dev.refrain.flow;

import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Mapping of a foreign call to an entry in the other system's ledger, so that a reconciler can look for it there. The expected entry is
 * written in the transaction that announces the call.
 *
 * @param ledger the name of the ledger in this application
 * @param amount the amount in the smallest unit; must be the same for every run
 * @param isEntered whether an answer says that the entry was made; it is not for a declined card
 */
public record LedgerEntryMapping<R, A>(String ledger, ToLongFunction<PhaseContext<R>> amount, Predicate<A> isEntered) {

    /** Returns a mapping for calls that are always entered once they are answered. */
    public static <R, A> LedgerEntryMapping<R, A> inLedger(String ledger, ToLongFunction<PhaseContext<R>> amount) {
        return new LedgerEntryMapping<>(ledger, amount, answer -> true);
    }

    /** Returns the same mapping, without an entry for answers such as a declined card. */
    public LedgerEntryMapping<R, A> exceptWhen(Predicate<A> notEntered) {
        return new LedgerEntryMapping<>(ledger, amount, notEntered.negate());
    }
}
