package dev.refrain.trials.kills;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreException;
import dev.refrain.trials.kills.JournalEntry.Kind;

/** Where people look into what needs attention, by asking the provider whether the charge is in its books. */
record AttentionDesk(JournaledCaller counter) {

    private static final String WHO = "desk";

    /**
     * While others still run, only what certainly happened is settled: what did not happen yet may be about to. The answer
     * given is a new one, so that a late runner that gave its own as well would be seen.
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

    /** When nobody runs any more, what is not in the provider's books did not happen. */
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
