package dev.refrain.store.encryption;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.EncryptionMarks;
import dev.refrain.store.KeptRequestReader;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.WakeupChannel;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Any store, with requests (stored and kept), carried state, outcomes, messages and the reasons of failures encrypted before they reach it.
 *
 * <p>Encrypted is what the operation said and was told, what its messages say, and why something failed. In the clear stays what is
 * compared, searched or listed without a key: {@code docs/encryption.md} names every column. As safe for use by many threads as the store inside.
 *
 * <p>It has the abilities of the store inside: those that carry payloads encrypt as it does, those that carry none are passed through,
 * and one that this class does not know is left out, because it could show payloads as they are stored.
 */
public final class EncryptingStore implements Store {

    /** Nothing that is encrypted passes through these. */
    private static final Set<Class<?>> WITHOUT_PAYLOADS = Set.of(
            RecordEraser.class,
            AuditTrailReader.class,
            RecordCounter.class,
            ReconciliationStore.class,
            WakeupChannel.class,
            EncryptionMarks.class);

    private static final System.Logger LOG = System.getLogger(EncryptingStore.class.getName());

    private final Store inner;
    private final RecordCipher cipher;
    private final PayloadCipher payloads;
    private final FailureReasonCipher reasons;

    private EncryptingStore(Store inner, PayloadCipher payloads) {
        this.inner = inner;
        this.payloads = payloads;
        this.cipher = new RecordCipher(payloads);
        this.reasons = new FailureReasonCipher(payloads);
    }

    /**
     * Returns the store with encryption, for an application. Marks it as encrypted with the ring's current key, so that an instance that lacks the
     * ring is refused.
     *
     * <p>Logs a warning if the store was encrypted with keys that the ring lacks: what they encrypted cannot be read.
     *
     * @throws IllegalArgumentException if the store was encrypted with another secret under an id of the ring, or with none of the ring's
     *     keys, or was in use without encryption and the ring does not read that
     */
    public static EncryptingStore around(Store inner, EncryptionKeyRing ring) {
        inner.ability(EncryptionMarks.class).ifPresent(marks -> {
            var known = marks.listEncryptionMarks();
            ring.requireSecretsOf(known);
            requireReadable(inner, ring, known);
            if (known.isEmpty() && !ring.readsPlain() && marks.hasPayloadsNotBeginningWith(PayloadCipher.MARK)) {
                throw new IllegalArgumentException(
                        "Cannot encrypt in "
                                + inner.traits().name()
                                + " yet: it has payloads that were stored without encryption, and this key ring does not read them, so"
                                + " their keys could not be replayed. Use ring.readingPlain(), in Spring Boot"
                                + " refrain.encryption.read-plain=true, until the longest retention has passed. See docs/encryption.md.");
            }
            marks.addEncryptionMark(ring.currentMark());
        });
        return new EncryptingStore(inner, new PayloadCipher(ring));
    }

    /**
     * Returns the store with encryption, for a tool that must write only what the applications can read.
     *
     * @throws IllegalArgumentException if no application has encrypted with the ring's current key here
     */
    public static EncryptingStore joining(Store inner, EncryptionKeyRing ring) {
        inner.ability(EncryptionMarks.class).ifPresent(marks -> {
            var known = marks.listEncryptionMarks();
            ring.requireSecretsOf(known);
            ring.requireInUse(known);
            warnOfMissing(inner, ring, known);
        });
        return new EncryptingStore(inner, new PayloadCipher(ring));
    }

    /** Refuses a ring that reads nothing of what is encrypted in a store, and warns of one that lacks single keys. */
    private static void requireReadable(Store inner, EncryptionKeyRing ring, Set<String> known) {
        if (!ring.readsAnyOf(known)) {
            throw new IllegalArgumentException(
                    "Cannot use " + inner.traits().name()
                            + " with this key ring: the store was encrypted with the keys "
                            + String.join(", ", ring.missingOf(known))
                            + ", and the ring has none of them (it has " + String.join(", ", ring.ids())
                            + "), so nothing encrypted in it could be replayed. Add their secrets to the ring, in Spring Boot"
                            + " refrain.encryption.keys, or use the database that belongs to these keys. See docs/encryption.md.");
        }
        warnOfMissing(inner, ring, known);
    }

    private static void warnOfMissing(Store inner, EncryptionKeyRing ring, Set<String> known) {
        var missing = ring.missingOf(known);
        if (!missing.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The key ring lacks keys with which " + inner.traits().name() + " was encrypted: "
                            + String.join(", ", missing)
                            + ". What they encrypted cannot be replayed or delivered. Add their secrets as former keys (in Spring Boot"
                            + " refrain.encryption.keys, for the tools $REFRAIN_ENCRYPTION_KEYS), or, if nothing of theirs is left, remove"
                            + " their marks. See docs/encryption.md#rotate-a-key.");
        }
    }

    /** Returns the store inside, which stores what it is given as it is. */
    public Store inner() {
        return inner;
    }

    /** The inner store's transactions, encrypting as this store does. */
    public <C> StoreTransactionFactory<C> transactions(StoreTransactionFactory<C> transactions) {
        if (!transactions.belongTo(inner)) {
            throw new IllegalArgumentException(
                    "These transactions belong to another store than the one encrypted here.");
        }
        return new EncryptingTransactionFactory<>(this, transactions, cipher);
    }

    /** The inner store's outbox, with the contents of messages encrypted. */
    public <C> OutboxStore<C> outbox(OutboxStore<C> outbox) {
        return new EncryptingOutboxStore<>(outbox, new MessageCipher(payloads), reasons);
    }

    /** The inner store's view of messages, with the contents of dead letters decrypted when they are revealed. */
    public OutboxBrowser outboxBrowser(OutboxBrowser browser) {
        return new EncryptingOutboxBrowser(browser, new MessageCipher(payloads), reasons);
    }

    /** The inner store's view of records, with the reasons of attention and of attempts decrypted. */
    public RecordBrowser recordBrowser(RecordBrowser browser) {
        return new EncryptingRecordBrowser(browser, reasons);
    }

    @Override
    public <A> Optional<A> ability(Class<A> type) {
        if (WITHOUT_PAYLOADS.contains(type)) {
            return inner.ability(type);
        }
        Optional<?> part = Optional.empty();
        if (type.equals(StoreTransactionFactory.class)) {
            part = inner.ability(StoreTransactionFactory.class).map(this::encryptingTransactions);
        } else if (type.equals(OutboxStore.class)) {
            part = inner.ability(OutboxStore.class).map(this::encryptingOutbox);
        } else if (type.equals(OutboxBrowser.class)) {
            part = inner.ability(OutboxBrowser.class).map(this::outboxBrowser);
        } else if (type.equals(KeptRequestReader.class)) {
            part = inner.ability(KeptRequestReader.class).map(this::decryptingReader);
        } else if (type.equals(RecordBrowser.class)) {
            part = inner.ability(RecordBrowser.class).map(this::recordBrowser);
        } else if (type.equals(CompletionQueue.class)) {
            part = inner.ability(CompletionQueue.class).map(plain -> new EncryptingCompletionQueue(plain, reasons));
        }
        return part.map(type::cast);
    }

    private StoreTransactionFactory<?> encryptingTransactions(StoreTransactionFactory<?> plain) {
        return transactions(plain);
    }

    private OutboxStore<?> encryptingOutbox(OutboxStore<?> plain) {
        return outbox(plain);
    }

    private KeptRequestReader decryptingReader(KeptRequestReader plain) {
        return identity ->
                plain.readKeptRequest(identity).map(kept -> cipher.decryptKeptRequest(kept, identity.hash()));
    }

    @Override
    public StoreTraits traits() {
        var plain = inner.traits();
        return plain.withLimits(plain.limits().withPayloadOverhead(PayloadCipher.MOST_OVERHEAD))
                .withEncryption();
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return inner.claim(requests.stream().map(cipher::encrypt).toList()).stream()
                .map(cipher::decrypt)
                .toList();
    }

    @Override
    public List<RecordWriteResponse> write(List<? extends RecordWrite> writes) {
        var answers = inner.write(writes.stream().map(cipher::encrypt).toList());
        return IntStream.range(0, writes.size())
                .mapToObj(i -> cipher.decrypt(writes.get(i), answers.get(i)))
                .toList();
    }

    @Override
    public void addSteps(ClaimOrigin origin) {
        inner.addSteps(origin);
    }

    @Override
    public Optional<RecordExplanation> explain(ScopedKey identity) {
        return inner.explain(identity).map(explained -> reasons.decrypt(explained, identity.hash()));
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return inner.find(identities).stream()
                .map(found -> found.map(cipher::decrypt))
                .toList();
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return inner.sweep(grace, limit);
    }

    @Override
    public int reap(int limit) {
        return inner.reap(limit);
    }

    @Override
    public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
        return inner.listAttention(after, limit).stream().map(reasons::decrypt).toList();
    }

    @Override
    public RecordWriteResponse resolve(Resolution resolution) {
        return cipher.decrypt(inner.resolve(cipher.encrypt(resolution)));
    }

    @Override
    public void close() {
        inner.close();
    }
}
