package dev.refrain.store.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Store ability: keeps what we sent and what a ledger shows, key by key, so that neither side has to be held in memory. Every method may be repeated, and
 * called by many at once. Failures are {@link dev.refrain.store.StoreException}s.
 *
 * @param <C> how the caller's transaction reaches the database, such as {@code java.sql.Connection}
 */
public interface LedgerStore<C> {

    /** In the caller's open transaction: this is about to be sent. */
    void announce(C connection, String ledger, ExpectedLedgerEntry entry);

    /** In the caller's open transaction: it is known to have happened. */
    void confirm(C connection, String ledger, String key);

    /** In the caller's open transaction: it is known not to have happened, so no ledger is expected to show it. */
    void withdraw(C connection, String ledger, String key);

    /** What the application says it did; a key at most once in a call. */
    void addExpected(String ledger, List<ExpectedLedgerEntry> entries);

    /** What the ledger shows; a key at most once in a call, entries that have it in common one call after the other. */
    void addReported(String ledger, List<ReportedLedgerEntry> entries);

    /**
     * Where to begin reading: where the last pass that was read to its end began, or where the oldest of ours was sent that was not seen yet,
     * but not longer ago than {@code reach}; and a little before that.
     */
    LedgerReadPass beginPass(String ledger, Duration reach, Duration overlap);

    /** The pass was read to its end. */
    void completePass(String ledger, Instant begun);

    /** Judges what does not agree, or did not, in the order of keys. Only after a pass that was read to its end. */
    LedgerCheckResult check(LedgerCheckRequest order);

    /** What does not agree and was not dismissed, oldest first, after the given one. */
    List<LedgerFinding> findings(String ledger, Optional<LedgerFinding> after, int limit);

    /**
     * Closes a finding although nothing changed, and writes who, when and why into the audit trail in the same step. It comes back if it
     * becomes one of another kind.
     *
     * @return whether it was there as it was looked at
     */
    boolean dismiss(LedgerFinding finding, String who, String why);

    /** Deletes up to {@code limit} entries that have agreed, or were dismissed, for so long; answers how many. */
    int reap(String ledger, Duration agreedFor, int limit);
}
