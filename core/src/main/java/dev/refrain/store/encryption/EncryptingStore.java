package dev.refrain.store.encryption;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecordBatch;
import dev.refrain.store.AbandonedRecordPoll;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.UnsettledCounts;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.encryption.PayloadCipher.PayloadKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Any store, with requests, carried state and outcomes encrypted before they reach it.
 *
 * <p>Encrypted is what the operation said and was told. In the clear stay scope, namespace and key (they are compared and
 * searched), the fingerprint (set its secret to keep it from being guessed) and the names of recovery points. As safe for
 * use by many threads as the store inside.
 */
public final class EncryptingStore implements Store {

    private final Store inner;
    private final PayloadCipher cipher;

    private EncryptingStore(Store inner, PayloadCipher cipher) {
        this.inner = inner;
        this.cipher = cipher;
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
        return new EncryptingTransactionFactory<>(transactions);
    }

    @Override
    public StoreTraits traits() {
        return inner.traits();
    }

    @Override
    public List<ClaimResponse> claim(List<ClaimRequest> requests) {
        return inner.claim(requests.stream().map(this::sealed).toList()).stream()
                .map(this::opened)
                .toList();
    }

    @Override
    public List<WriteResponse> write(List<? extends RecordWrite> writes) {
        var answers = inner.write(writes.stream().map(this::sealed).toList());
        return IntStream.range(0, writes.size())
                .mapToObj(i -> opened(writes.get(i), answers.get(i)))
                .toList();
    }

    /** The same outcome is never encrypted twice to the same bytes: whether it was sent before shows once it is opened. */
    private WriteResponse opened(RecordWrite plain, WriteResponse answer) {
        return opened(answer) instanceof WriteResponse.Refused refused
                ? WriteResponse.forUnchanged(plain, refused.current())
                : answer;
    }

    @Override
    public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
        return inner.find(identities).stream()
                .map(found -> found.map(this::opened))
                .toList();
    }

    @Override
    public SweepResult sweep(Duration grace, int limit) {
        return inner.sweep(grace, limit);
    }

    @Override
    public AbandonedRecordBatch pollAbandoned(AbandonedRecordPoll order) {
        return inner.pollAbandoned(order);
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
        if (resolution.verdict() instanceof Resolution.Done done) {
            var sealed = sealed(done.outcome(), resolution.claim().lookup(), PayloadKind.OUTCOME);
            return opened(inner.resolve(new Resolution(
                    resolution.claim(),
                    new Resolution.Done(sealed, done.retention()),
                    resolution.who(),
                    resolution.why())));
        }
        return opened(inner.resolve(resolution));
    }

    @Override
    public List<AuditEntry> listAuditTrail(int limit) {
        return inner.listAuditTrail(limit);
    }

    @Override
    public ErasureResult erase(ErasureRequest order) {
        return inner.erase(order);
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return inner.countKeys(scope, upTo);
    }

    @Override
    public UnsettledCounts countUnsettled(int limit) {
        return inner.countUnsettled(limit);
    }

    @Override
    public void close() {
        inner.close();
    }

    private ClaimRequest sealed(ClaimRequest request) {
        return request.withStoredRequest(sealed(request.request(), request.lookup(), PayloadKind.REQUEST));
    }

    private RecordWrite sealed(RecordWrite write) {
        var lookup = write.claim().lookup();
        return switch (write) {
            case RecordWrite.Complete complete ->
                new RecordWrite.Complete(
                        complete.claim(),
                        sealed(complete.outcome(), lookup, PayloadKind.OUTCOME),
                        complete.retention());
            case RecordWrite.Checkpoint point ->
                new RecordWrite.Checkpoint(
                        point.claim(),
                        point.recoveryPoint(),
                        sealed(point.carried(), lookup, PayloadKind.CARRIED),
                        point.lease());
            default -> write;
        };
    }

    private Optional<Payload> sealed(Optional<Payload> plain, KeyHash lookup, PayloadKind kind) {
        return plain.map(p -> cipher.encrypt(p, lookup, kind));
    }

    private ClaimResponse opened(ClaimResponse answer) {
        return switch (answer) {
            case ClaimResponse.Acquired acquired -> new ClaimResponse.Acquired(opened(acquired.record()));
            case ClaimResponse.Found found -> new ClaimResponse.Found(opened(found.record()));
            case ClaimResponse.LockedByTransaction unseen -> unseen;
        };
    }

    private WriteResponse opened(WriteResponse answer) {
        return answer instanceof WriteResponse.Refused refused
                ? new WriteResponse.Refused(refused.current().map(this::opened))
                : answer;
    }

    private StoredRecord opened(StoredRecord record) {
        return record.withPayloads(
                record.outcome().map(p -> cipher.decrypt(p, record.lookup(), PayloadKind.OUTCOME)),
                record.request().map(p -> cipher.decrypt(p, record.lookup(), PayloadKind.REQUEST)),
                record.carried().map(p -> cipher.decrypt(p, record.lookup(), PayloadKind.CARRIED)));
    }

    private final class EncryptingTransactionFactory<C> implements StoreTransactionFactory<C> {
        private final StoreTransactionFactory<C> plain;

        private EncryptingTransactionFactory(StoreTransactionFactory<C> plain) {
            this.plain = plain;
        }

        @Override
        public Store store() {
            return EncryptingStore.this;
        }

        @Override
        public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
            return plain.listUnfinished(namespace, longerThan, limit);
        }

        @Override
        public StoreTransaction<C> begin() {
            return new EncryptingTransaction<>(plain.begin());
        }

        @Override
        public PhaseTransaction<C> beginPhase() {
            return new EncryptingPhaseTransaction<>(plain.beginPhase());
        }

        @Override
        public StoreTransaction<C> join(C connection) {
            return new EncryptingTransaction<>(plain.join(connection));
        }
    }

    private final class EncryptingTransaction<C> implements StoreTransaction<C> {
        private final StoreTransaction<C> plain;

        private EncryptingTransaction(StoreTransaction<C> plain) {
            this.plain = plain;
        }

        @Override
        public C connection() {
            return plain.connection();
        }

        @Override
        public ClaimResponse tryClaim(ClaimRequest request) {
            return opened(plain.tryClaim(sealed(request)));
        }

        @Override
        public boolean isRollbackOnly() {
            return plain.isRollbackOnly();
        }

        @Override
        public void rollbackWork() {
            plain.rollbackWork();
        }

        @Override
        public WriteResponse complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
            return opened(
                    plain.complete(sealed(request), acquired, sealed(outcome, request.lookup(), PayloadKind.OUTCOME)));
        }

        @Override
        public WriteResponse completeAndCommit(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
            return opened(plain.completeAndCommit(
                    sealed(request), acquired, sealed(outcome, request.lookup(), PayloadKind.OUTCOME)));
        }

        @Override
        public void commit() {
            plain.commit();
        }

        @Override
        public void close() {
            plain.close();
        }
    }

    private final class EncryptingPhaseTransaction<C> implements PhaseTransaction<C> {
        private final PhaseTransaction<C> plain;

        private EncryptingPhaseTransaction(PhaseTransaction<C> plain) {
            this.plain = plain;
        }

        @Override
        public C connection() {
            return plain.connection();
        }

        @Override
        public boolean isRetryableConflict(Throwable failure) {
            return plain.isRetryableConflict(failure);
        }

        @Override
        public WriteResponse writeAndCommit(RecordWrite write) {
            return opened(plain.writeAndCommit(sealed(write)));
        }

        @Override
        public void close() {
            plain.close();
        }
    }
}
