package dev.refrain;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.ResolvedAsFailedException;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.StoredFailure;
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
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Actions on records by operators, rules and the reconciler. Every action names an actor and a reason, which the store writes to
 * its audit trail in the same step.
 *
 * <p>Counting, erasing and listing the audit trail need an ability that not every store has ({@link #abilities}); without it they
 * throw a {@link dev.refrain.store.MissingAbilityException}. Thread-safe.
 */
public final class RecordAdmin {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int ERASE_STEP = 1_000;
    private static final int CENSUS_LIMIT = 100_000;

    private final Store store;
    private final BatchedStoreClient storeClient;
    private final WaiterRegistry waiters;
    private final OutcomeCache cache;
    private final RefrainListener listener;

    RecordAdmin(
            Store store,
            BatchedStoreClient storeClient,
            WaiterRegistry waiters,
            OutcomeCache cache,
            RefrainListener listener) {
        this.store = store;
        this.storeClient = storeClient;
        this.waiters = waiters;
        this.cache = cache;
        this.listener = listener;
    }

    /** Returns the name of the store. */
    public String storeName() {
        return store.traits().name();
    }

    /** Returns the abilities of the store. */
    public Set<StoreAbility> abilities() {
        return StoreAbility.of(store);
    }

    /**
     * Requires an ability of the store.
     *
     * @param feature the feature that needs it, as the beginning of a sentence
     * @throws dev.refrain.store.MissingAbilityException if the store does not have it
     */
    public void requireAbility(StoreAbility ability, String feature) {
        var unused = StoreAbility.require(store, ability.type(), feature);
    }

    /** Lists the first page of records whose outcome is unknown, oldest first. */
    public List<AttentionItem> listAttention(int limit) {
        return store.listAttention(null, limit);
    }

    /** Lists the page after this item, the last one of the previous page. */
    public List<AttentionItem> listAttention(AttentionItem after, int limit) {
        return store.listAttention(after, limit);
    }

    /** Counts unsettled records over all scopes. Expensive: for people, and for gauges at intervals. */
    public UnsettledCounts unsettledCounts() {
        return StoreAbility.require(store, RecordCounter.class, "Counting unsettled records")
                .countUnsettled(CENSUS_LIMIT);
    }

    public Optional<StoredRecord> find(ScopedKey identity) {
        return storeClient.find(identity, PATIENCE);
    }

    /** Explains a record to a person: where it comes from, its age, what it may have sent under which keys, and its attempts. */
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return store.explain(identity);
    }

    /** Returns the guarantees and limits of the store. */
    public StoreTraits storeTraits() {
        return store.traits();
    }

    /** Reads the request that a claim kept for people; empty if nothing is kept, or if the store cannot. */
    public Optional<Payload> findKeptRequest(ScopedKey identity) {
        return store.ability(KeptRequestReader.class).flatMap(reader -> reader.readKeptRequest(identity));
    }

    /**
     * Shows the request that a claim kept for people; empty if nothing is kept, or if the store cannot. Where the store can browse records,
     * its audit trail says who looked, and why.
     */
    public Optional<Payload> revealKeptRequest(AttentionItem item, String who, String why) {
        var kept = findKeptRequest(item.identity());
        if (kept.isPresent()) {
            store.ability(RecordBrowser.class)
                    .ifPresent(browser -> browser.auditReveal(item.claim().id(), who, why));
        }
        return kept;
    }

    /**
     * Resolves a record as done: its outcome is replayed for the rest of the record's retention and for an hour at least. Returns
     * false if the record has changed since it was read.
     *
     * @throws IllegalArgumentException if the outcome's status is not from 200 to 599
     */
    public boolean resolve(ClaimRef claim, Outcome outcome, String who, String why) {
        return resolve(claim, outcome, Optional.empty(), who, why);
    }

    /** Resolves a record as done, with another retention, counted from its first claim. */
    public boolean resolve(ClaimRef claim, Outcome outcome, Retention kept, String who, String why) {
        return resolve(claim, outcome, Optional.of(kept), who, why);
    }

    /**
     * Resolves a record as failed: retries get a {@link dev.refrain.api.ReplayedFailureException} with the reason, and nothing runs again under
     * the key. A saga that waits for a job is compensated if its job's record is resolved so. Returns false if the record has changed since
     * it was read.
     */
    public boolean resolveAsFailed(ClaimRef claim, String who, String why) {
        return resolve(claim, StoredFailure.toAnswer(new ResolvedAsFailedException(why)), who, why);
    }

    private boolean resolve(ClaimRef claim, Outcome outcome, Optional<Retention> kept, String who, String why) {
        Optional<Payload> payload = outcome instanceof Outcome.Answer answer
                ? Optional.of(OutcomeFormat.encode(answer.requireFinal()))
                : Optional.empty();
        return settle(new Resolution(claim, new Resolution.Done(payload, kept), who, why), "completed");
    }

    /**
     * Releases a record, so that it may run again under the same record id. Returns false if the record has changed since it was
     * read.
     */
    public boolean release(ClaimRef claim, String who, String why) {
        boolean released = settle(new Resolution(claim, new Resolution.RunAgain(), who, why), "released");
        if (released) {
            waiters.wakeOne(claim.lookup());
        }
        return released;
    }

    /**
     * Has a record continue at its recovery point as after a crash, without asserting that its announced call was not sent. Returns false if the
     * record has changed since it was read.
     */
    public boolean resume(ClaimRef claim, String who, String why) {
        return settle(new Resolution(claim, new Resolution.Resume(), who, why), "resumed");
    }

    /**
     * Erases the contents of records, and what is found of the same scope or person among messages and ledger entries; see {@link RecordEraser#erase}. Other instances may replay an erased outcome for as long as
     * their cache holds it ({@link RefrainSettings.CacheSettings#maxAge}).
     */
    public ErasureResult erase(ErasureRequest.Target target, String who, String why) {
        var eraser = StoreAbility.require(store, RecordEraser.class, "Erasing records");
        var total = new ErasureResult(0, 0, false);
        try {
            do {
                total = eraser.erase(new ErasureRequest(target, who, why, ERASE_STEP))
                        .after(total);
            } while (total.hasMore());
        } finally {
            // Even if a later step failed: outcomes that earlier steps erased must not be replayed from the cache.
            cache.clear();
        }
        listener.onEvent(new RefrainEvent.Erased(total.erased(), total.leftInUse()));
        return total;
    }

    /** Lists actions on records, newest first. */
    public List<AuditEntry> listAuditTrail(int limit) {
        return StoreAbility.require(store, AuditTrailReader.class, "Listing the audit trail")
                .listAuditTrail(limit);
    }

    private boolean settle(Resolution resolution, String verdict) {
        boolean settled = switch (store.resolve(resolution)) {
            case RecordWriteResponse.Written written -> true;
            case RecordWriteResponse.Refused refused -> false;
            case RecordWriteResponse.Failed failed -> throw failed.failure();
        };
        if (settled) {
            listener.onEvent(new RefrainEvent.Resolved(resolution.claim().id(), verdict));
        }
        return settled;
    }
}
