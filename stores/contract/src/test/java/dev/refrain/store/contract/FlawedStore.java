package dev.refrain.store.contract;

import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A sound store and room for one mistake: each flaw overrides the one thing that it gets wrong. */
abstract class FlawedStore
        implements Store, CompletionQueue, RecordEraser, AuditTrailReader, RecordCounter, KeptRequestReader {

    final Store sound;

    FlawedStore(Store sound) {
        this.sound = sound;
    }

    ClaimResponse claimOne(ClaimRequest request) {
        return sound.claim(List.of(request)).getFirst();
    }

    RecordWriteResponse writeOne(RecordWrite write) {
        return sound.write(List.of(write)).getFirst();
    }

    /** What the sound store shows, as this one shows it. */
    StoredRecord shown(StoredRecord record) {
        return record;
    }

    @Override
    public StoreTraits traits() {
        return sound.traits();
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return requests.stream().map(this::claimOne).map(this::shown).toList();
    }

    private ClaimResponse shown(ClaimResponse answer) {
        return switch (answer) {
            case ClaimResponse.Acquired acquired -> new ClaimResponse.Acquired(shown(acquired.record()));
            case ClaimResponse.Found found -> new ClaimResponse.Found(shown(found.record()));
            case ClaimResponse.LockedByTransaction unseen -> unseen;
            case ClaimResponse.Failed failed -> failed;
        };
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        return writes.stream().map(this::writeOne).map(this::shown).toList();
    }

    private RecordWriteResponse shown(RecordWriteResponse answer) {
        return switch (answer) {
            case RecordWriteResponse.Written written -> written;
            case RecordWriteResponse.Failed failed -> failed;
            case RecordWriteResponse.Refused refused ->
                new RecordWriteResponse.Refused(refused.current().map(this::shown));
        };
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return sound.find(identities).stream()
                .map(found -> found.map(this::shown))
                .toList();
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        sound.addSteps(origin);
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return sound.explain(identity);
    }

    @Override
    public Optional<Payload> readKeptRequest(ScopedKey identity) {
        return inner(KeptRequestReader.class).readKeptRequest(identity);
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return sound.sweep(grace, limit);
    }

    @Override
    public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
        return inner(CompletionQueue.class).pollAbandoned(order);
    }

    @Override
    public void uncountAttempt(AbandonedRecord unattempted) {
        inner(CompletionQueue.class).uncountAttempt(unattempted);
    }

    @Override
    public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
        return inner(CompletionQueue.class).listUnfinished(namespace, longerThan, limit);
    }

    @Override
    public int reap(int limit) {
        return sound.reap(limit);
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return sound.listAttention(after, limit);
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return shown(sound.resolve(resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return inner(AuditTrailReader.class).listAuditTrail(limit);
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return inner(RecordEraser.class).erase(order);
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return inner(RecordCounter.class).countKeys(scope, upTo);
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return inner(RecordCounter.class).countUnsettled(limit);
    }

    @Override
    public void close() {
        sound.close();
    }

    private <A> A inner(Class<A> ability) {
        return StoreAbility.require(sound, ability, "This decorator");
    }
}
