package dev.refrain.cli;

import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.EncryptionMarks;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Store that a command works on, with the applications' encryption if the command has their keys. */
final class OpenedStore {

    private static final int ERASE_STEP = 1_000;
    private static final int ATTENTION_PAGE = 500;

    private final Store plain;
    private final Store store;

    private OpenedStore(Store plain, Store store) {
        this.plain = plain;
        this.store = store;
    }

    /** @throws CommandFailedException if the keys are not those of the applications */
    static OpenedStore of(Store plain, Optional<EncryptionKeyRing> ring) {
        try {
            return new OpenedStore(
                    plain,
                    ring.<Store>map(keys -> EncryptingStore.joining(plain, keys.readingPlain()))
                            .orElse(plain));
        } catch (IllegalArgumentException wrongKeys) {
            throw CommandFailedException.failed(String.valueOf(wrongKeys.getMessage()), wrongKeys);
        }
    }

    RecordBrowser recordBrowser() {
        return StoreAbility.require(store, RecordBrowser.class, "This command");
    }

    OutboxBrowser outboxBrowser() {
        return StoreAbility.require(store, OutboxBrowser.class, "This command");
    }

    /** Returns the outbox, for decisions about dead letters: they move messages and write none. */
    OutboxStore<?> outbox() {
        return StoreAbility.require(store, OutboxStore.class, "This command");
    }

    List<AttentionItem> listAttention(int limit) {
        return store.listAttention(null, limit);
    }

    /** Returns true if keys can be listed and shown; what needs attention can be decided on in any store. */
    boolean isBrowsable() {
        return StoreAbility.BROWSING.isIn(store);
    }

    /** Finds a record in ATTENTION. */
    Optional<AttentionItem> findInAttention(Predicate<AttentionItem> wanted) {
        @Nullable AttentionItem last = null;
        List<AttentionItem> page;
        do {
            page = store.listAttention(last, ATTENTION_PAGE);
            var found = page.stream().filter(wanted).findFirst();
            if (found.isPresent()) {
                return found;
            }
            last = page.isEmpty() ? last : page.getLast();
        } while (page.size() == ATTENTION_PAGE);
        return Optional.empty();
    }

    Optional<StoredRecord> find(ScopedKey identity) {
        return store.find(List.of(identity)).getFirst();
    }

    Optional<Payload> readKeptRequest(ScopedKey identity) {
        return StoreAbility.require(store, KeptRequestReader.class, "This command")
                .readKeptRequest(identity);
    }

    ErasureResult erase(ErasureRequest.Target target, String who, String why) {
        var eraser = StoreAbility.require(store, RecordEraser.class, "This command");
        var total = new ErasureResult(0, 0, false);
        do {
            total = eraser.erase(new ErasureRequest(target, who, why, ERASE_STEP))
                    .after(total);
        } while (total.hasMore());
        return total;
    }

    int reap(int limit) {
        return store.reap(limit);
    }

    /** Refuses to write a response in the clear where applications encrypt: they could not read it. */
    void requireKeysFor(Resolution.Verdict verdict) {
        boolean writesResponse =
                verdict instanceof Resolution.Done done && done.outcome().isPresent();
        if (writesResponse
                && !store.traits().encrypted()
                && plain.ability(EncryptionMarks.class)
                        .filter(marks -> !marks.listEncryptionMarks().isEmpty())
                        .isPresent()) {
            throw CommandFailedException.failed(
                    "This store is encrypted, and the applications could not read a response that is stored without their keys. Pass "
                            + "the keys with --encryption-keys FILE or $" + StoreOptions.KEYS_VARIABLE
                            + ", or resolve the key in the console of the application.",
                    null);
        }
    }

    RecordWriteResponse resolve(Resolution resolution) {
        requireKeysFor(resolution.verdict());
        return store.resolve(resolution);
    }
}
