package dev.refrain.store.contract;

import dev.refrain.key.Identity;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.Census;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A sound store and room for one mistake: each flaw overrides the one thing that it gets wrong. */
abstract class FlawedStore implements Store {

    final Store sound;

    FlawedStore(Store sound) {
        this.sound = sound;
    }

    ClaimAnswer claimOne(ClaimRequest request) {
        return sound.claim(List.of(request)).getFirst();
    }

    WriteAnswer writeOne(Write write) {
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
    public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        return requests.stream().map(this::claimOne).map(this::shown).toList();
    }

    private ClaimAnswer shown(ClaimAnswer answer) {
        return switch (answer) {
            case ClaimAnswer.Acquired acquired -> new ClaimAnswer.Acquired(shown(acquired.record()));
            case ClaimAnswer.Found found -> new ClaimAnswer.Found(shown(found.record()));
            case ClaimAnswer.Unseen unseen -> unseen;
        };
    }

    @Override
    public List<WriteAnswer> write(List<? extends Write> writes) {
        return writes.stream().map(this::writeOne).map(this::shown).toList();
    }

    private WriteAnswer shown(WriteAnswer answer) {
        return switch (answer) {
            case WriteAnswer.Written written -> written;
            case WriteAnswer.Refused refused ->
                new WriteAnswer.Refused(refused.current().map(this::shown));
        };
    }

    @Override
    public List<Optional<StoredRecord>> find(List<Identity> identities) {
        return sound.find(identities).stream()
                .map(found -> found.map(this::shown))
                .toList();
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        return sound.sweep(grace, limit);
    }

    @Override
    public TakenUp pollAbandoned(TakeUp order) {
        return sound.pollAbandoned(order);
    }

    @Override
    public int reap(int limit) {
        return sound.reap(limit);
    }

    @Override
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return sound.listAttention(after, limit);
    }

    @Override
    public WriteAnswer resolve(Resolution resolution) {
        return shown(sound.resolve(resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return sound.listAuditTrail(limit);
    }

    @Override
    public Erased erase(ErasureOrder order) {
        return sound.erase(order);
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return sound.countKeys(scope, upTo);
    }

    @Override
    public Census countUnsettled(int limit) {
        return sound.countUnsettled(limit);
    }

    @Override
    public void close() {
        sound.close();
    }
}
