package dev.refrain.recover;

import dev.refrain.batch.Lanes;
import dev.refrain.key.Identity;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.Retention;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.replay.Waiters;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.Census;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What people, rules and the reconciler do to records. Every action says who and why, and is written into the store's audit
 * trail in the same step.
 */
public final class Operators {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int ERASE_STEP = 1_000;
    private static final int CENSUS_LIMIT = 100_000;

    private final Store store;
    private final Lanes lanes;
    private final Waiters waiters;
    private final OutcomeCache cache;
    private final Listener listener;

    public Operators(Store store, Lanes lanes, Waiters waiters, OutcomeCache cache, Listener listener) {
        this.store = store;
        this.lanes = lanes;
        this.waiters = waiters;
        this.cache = cache;
        this.listener = listener;
    }

    /** Records whose outcome is unknown, oldest first; pass the last one of a page to get the next. */
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return store.listAttention(after, limit);
    }

    /** What is not settled, over all scopes. A question that costs: for people, and for gauges now and then. */
    public Census unsettledCounts() {
        return store.countUnsettled(CENSUS_LIMIT);
    }

    public Optional<StoredRecord> find(Identity identity) {
        return lanes.find(identity, PATIENCE);
    }

    /**
     * It took effect: the outcome is replayed from now on, for what is left of the record's retention and an hour at least. False if the
     * record moved on since it was looked at.
     */
    public boolean resolve(ClaimRef claim, Outcome outcome, String who, String why) {
        return resolve(claim, outcome, Optional.empty(), who, why);
    }

    /** The same, kept for another time than the record was to be, counted from its first claim. */
    public boolean resolve(ClaimRef claim, Outcome outcome, Retention kept, String who, String why) {
        return resolve(claim, outcome, Optional.of(kept), who, why);
    }

    private boolean resolve(ClaimRef claim, Outcome outcome, Optional<Retention> kept, String who, String why) {
        Optional<Payload> payload =
                outcome instanceof Outcome.Answer answer ? Optional.of(OutcomeFormat.encode(answer)) : Optional.empty();
        return settle(new Resolution(claim, new Resolution.Done(payload, kept), who, why), "completed");
    }

    /** It may run again, under the same record id. False if the record moved on since it was looked at. */
    public boolean release(ClaimRef claim, String who, String why) {
        boolean released = settle(new Resolution(claim, new Resolution.RunAgain(), who, why), "released");
        if (released) {
            waiters.wakeOne(claim.lookup());
        }
        return released;
    }

    /**
     * Removes what the records say; see {@link Store#erase}. Other instances may replay an erased outcome for as long as
     * their cache keeps one ({@link OutcomeCache.Settings#maxAge}).
     */
    public Erased erase(ErasureOrder.Target target, String who, String why) {
        int erased = 0;
        Erased step;
        try {
            do {
                step = store.erase(new ErasureOrder(target, who, why, ERASE_STEP));
                erased += step.erased();
            } while (step.hasMore());
        } finally {
            // Also if a later step failed: what the earlier ones erased is not to be replayed from here.
            cache.clear();
        }
        listener.onEvent(new Event.Erased(erased, step.leftInUse()));
        return new Erased(erased, step.leftInUse(), false);
    }

    public List<AuditEntry> listAuditTrail(int limit) {
        return store.listAuditTrail(limit);
    }

    private boolean settle(Resolution resolution, String verdict) {
        boolean settled = store.resolve(resolution) instanceof WriteAnswer.Written;
        if (settled) {
            listener.onEvent(new Event.Resolved(resolution.claim().id(), verdict));
        }
        return settled;
    }
}
