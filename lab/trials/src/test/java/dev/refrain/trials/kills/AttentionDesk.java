package dev.refrain.trials.kills;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreException;
import dev.refrain.trials.kills.JournalEntry.Kind;

/** Operators who settle attention by asking the provider whether the charge is in its ledger. */
record AttentionDesk(JournaledCaller counter) {

    private static final String WHO = "desk";

    /**
     * Resolves keys that were certainly charged while others still run. The answer is a new one, so that a late runner with its own would
     * be noticed.
     */
    void resolveIfCharged(String key) {
        try {
            counter.shop()
                    .operators()
                    .find(new ScopedKey(KeySchedule.SCOPE, TrialMode.HOLD.operation(), key))
                    .filter(record -> record.state() == RecordState.ATTENTION)
                    .ifPresent(record -> resolveIfCharged(key, record.claim()));
        } catch (StoreException away) {
            counter.journal().write(JournalEntry.now(Kind.STORE_AWAY, TrialMode.HOLD, key, "at the desk: " + away));
        }
    }

    /** Settles a key when nobody runs any more: a charge that is not in the ledger did not happen. */
    void settle(String key, ClaimRef claim) {
        if (!resolveIfCharged(key, claim)) {
            boolean released = counter.shop().operators().release(claim, WHO, "not in the provider's books");
            note(released ? Kind.LET_RUN : Kind.WRONG, key, "released: " + released);
        }
    }

    private boolean resolveIfCharged(String key, ClaimRef claim) {
        var charge = counter.shop().provider().find(key);
        if (charge.isPresent()) {
            boolean resolved = counter.shop()
                    .operators()
                    .resolve(claim, UniqueAnswers.of(charge.get()), WHO, "in the provider's books");
            if (resolved) {
                note(Kind.RESOLVED, key, charge.get());
            }
        }
        return charge.isPresent();
    }

    private void note(Kind kind, String key, String detail) {
        counter.journal().write(JournalEntry.now(kind, TrialMode.HOLD, key, detail));
    }
}
