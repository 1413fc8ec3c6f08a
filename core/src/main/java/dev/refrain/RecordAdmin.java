package dev.refrain;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.replay.OutcomeCache;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.WriteResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Operations of people, rules and the reconciler on records. Every action says who and why, and is written into the store's audit
 * trail in the same step.
 *
 * <p>Counting, erasing and listing the audit trail need an ability that not every store has ({@link #abilities}); without it they throw a
 * {@link dev.refrain.store.MissingAbilityException}. Thread-safe.
 */
public final class RecordAdmin {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int ERASE_STEP = 1_000;
    private static final int CENSUS_LIMIT = 100_000;

    private final Store store;
    private final BatchedStoreClient lanes;
    private final WaiterRegistry waiters;
    private final OutcomeCache cache;
    private final RefrainListener listener;

    RecordAdmin(
            Store store,
            BatchedStoreClient lanes,
            WaiterRegistry waiters,
            OutcomeCache cache,
            RefrainListener listener) {
        this.store = store;
        this.lanes = lanes;
        this.waiters = waiters;
        this.cache = cache;
        this.listener = listener;
    }

    /** The name of the store that these operations work on. */
    public String storeName() {
        return store.traits().name();
    }

    /** The abilities of the store that these operations work on. */
    public Set<StoreAbility> abilities() {
        return StoreAbility.of(store);
    }

    /** Records whose outcome is unknown, oldest first: the first page. */
    public List<AttentionItem> listAttention(int limit) {
        return store.listAttention(Optional.empty(), limit);
    }

    /** The page that follows this item, the last one of the page before. */
    public List<AttentionItem> listAttention(AttentionItem after, int limit) {
        return store.listAttention(Optional.of(after), limit);
    }

    /** What is not settled, over all scopes. A question that costs: for people, and for gauges now and then. */
    public UnsettledCounts unsettledCounts() {
        return StoreAbility.require(store, RecordCounter.class, "Counting what is not settled")
                .countUnsettled(CENSUS_LIMIT);
    }

    public Optional<StoredRecord> find(ScopedKey identity) {
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
     * Removes what the records say; see {@link RecordEraser#erase}. Other instances may replay an erased outcome for as long as
     * their cache keeps one ({@link RefrainSettings.CacheSettings#maxAge}).
     */
    public ErasureResult erase(ErasureRequest.Target target, String who, String why) {
        var eraser = StoreAbility.require(store, RecordEraser.class, "Erasing records");
        int erased = 0;
        ErasureResult step;
        try {
            do {
                step = eraser.erase(new ErasureRequest(target, who, why, ERASE_STEP));
                erased += step.erased();
            } while (step.hasMore());
        } finally {
            // Also if a later step failed: what the earlier ones erased is not to be replayed from here.
            cache.clear();
        }
        listener.onEvent(new RefrainEvent.Erased(erased, step.leftInUse()));
        return new ErasureResult(erased, step.leftInUse(), false);
    }

    /** Lists what was done to records, newest first. */
    public List<AuditEntry> listAuditTrail(int limit) {
        return StoreAbility.require(store, AuditTrailReader.class, "Listing the audit trail")
                .listAuditTrail(limit);
    }

    private boolean settle(Resolution resolution, String verdict) {
        boolean settled = switch (store.resolve(resolution)) {
            case WriteResponse.Written written -> true;
            case WriteResponse.Refused refused -> false;
            case WriteResponse.Failed failed -> throw failed.failure();
        };
        if (settled) {
            listener.onEvent(new RefrainEvent.Resolved(resolution.claim().id(), verdict));
        }
        return settled;
    }
}
