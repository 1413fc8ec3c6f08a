package dev.refrain.store.encryption;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditTrailReader;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordEraser;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Any store, with requests, carried state, outcomes and messages encrypted before they reach it.
 *
 * <p>Encrypted is what the operation said and was told, and what its messages say. In the clear stay scope, namespace and key (they are
 * compared and searched), the fingerprint (set its secret to keep it from being guessed), the names of recovery points, topics and order
 * keys, and the keys and amounts of a ledger, which the store compares. As safe for use by many threads as the store inside.
 *
 * <p>It has the abilities of the store inside: those that carry payloads encrypt as it does, those that carry none are passed through,
 * and one that this class does not know is left out, because it could show payloads as they are stored.
 */
public final class EncryptingStore implements Store {

    /** Nothing that is encrypted passes through these. */
    private static final Set<Class<?>> WITHOUT_PAYLOADS = Set.of(
            CompletionQueue.class,
            RecordEraser.class,
            AuditTrailReader.class,
            RecordCounter.class,
            RecordBrowser.class,
            LedgerStore.class);

    private final Store inner;
    private final RecordCipher cipher;
    private final PayloadCipher payloads;

    private EncryptingStore(Store inner, PayloadCipher payloads) {
        this.inner = inner;
        this.payloads = payloads;
        this.cipher = new RecordCipher(payloads);
    }

    public static EncryptingStore around(Store inner, EncryptionKeyRing ring) {
        return new EncryptingStore(inner, new PayloadCipher(ring));
    }

    /** The inner store's transactions, encrypting as this store does. */
    public <C> StoreTransactionFactory<C> transactions(StoreTransactionFactory<C> transactions) {
        if (!transactions.store().equals(inner)) {
            throw new IllegalArgumentException(
                    "These transactions belong to another store than the one encrypted here.");
        }
        return new EncryptingTransactionFactory<>(this, transactions, cipher);
    }

    /** The inner store's outbox, with the contents of messages encrypted. */
    public <C> OutboxStore<C> outbox(OutboxStore<C> outbox) {
        return new EncryptingOutboxStore<>(outbox, new MessageCipher(payloads));
    }

    /** The inner store's view of messages, with the contents of dead letters decrypted when they are revealed. */
    public OutboxBrowser outboxBrowser(OutboxBrowser browser) {
        return new EncryptingOutboxBrowser(browser, new MessageCipher(payloads));
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
        }
        return part.map(type::cast);
    }

    private StoreTransactionFactory<?> encryptingTransactions(StoreTransactionFactory<?> plain) {
        return transactions(plain);
    }

    private OutboxStore<?> encryptingOutbox(OutboxStore<?> plain) {
        return outbox(plain);
    }

    @Override
    public StoreTraits traits() {
        var plain = inner.traits();
        return plain.withLimits(plain.limits().withPayloadOverhead(PayloadCipher.MOST_OVERHEAD));
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return inner.claim(requests.stream().map(cipher::encrypt).toList()).stream()
                .map(cipher::decrypt)
                .toList();
    }

    @Override
    public List<WriteResponse> write(List<? extends RecordWrite> writes) {
        var answers = inner.write(writes.stream().map(cipher::encrypt).toList());
        return IntStream.range(0, writes.size())
                .mapToObj(i -> cipher.decrypt(writes.get(i), answers.get(i)))
                .toList();
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
    public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
        return inner.listAttention(after, limit);
    }

    @Override
    public WriteResponse resolve(Resolution resolution) {
        return cipher.decrypt(inner.resolve(cipher.encrypt(resolution)));
    }

    @Override
    public void close() {
        inner.close();
    }
}
