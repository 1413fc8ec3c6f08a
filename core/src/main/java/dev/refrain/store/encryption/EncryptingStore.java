package dev.refrain.store.encryption;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.outcome.Payload;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.Census;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTraits;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Transactions;
import dev.refrain.store.Unfinished;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.store.encryption.PayloadCipher.Kind;
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

    public static EncryptingStore around(Store inner, KeyRing ring) {
        return new EncryptingStore(inner, new PayloadCipher(ring));
    }

    /** The inner store's transactions, encrypting as this store does. */
    public <C> Transactions<C> transactions(Transactions<C> transactions) {
        if (!transactions.store().equals(inner)) {
            throw new IllegalArgumentException(
                    "These transactions belong to another store than the one encrypted here.");
        }
        return new EncryptingTransactions<>(transactions);
    }

    @Override
    public StoreTraits traits() {
        return inner.traits();
    }

    @Override
    public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
        return inner.claim(requests.stream().map(this::sealed).toList()).stream()
                .map(this::opened)
                .toList();
    }

    @Override
    public List<WriteAnswer> write(List<? extends Write> writes) {
        var answers = inner.write(writes.stream().map(this::sealed).toList());
        return IntStream.range(0, writes.size())
                .mapToObj(i -> opened(writes.get(i), answers.get(i)))
                .toList();
    }

    /** The same outcome is never encrypted twice to the same bytes: whether it was sent before shows once it is opened. */
    private WriteAnswer opened(Write plain, WriteAnswer answer) {
        return opened(answer) instanceof WriteAnswer.Refused refused
                ? WriteAnswer.forUnchanged(plain, refused.current())
                : answer;
    }

    @Override
    public List<Optional<StoredRecord>> find(List<Identity> identities) {
        return inner.find(identities).stream()
                .map(found -> found.map(this::opened))
                .toList();
    }

    @Override
    public Swept sweep(Duration grace, int limit) {
        return inner.sweep(grace, limit);
    }

    @Override
    public TakenUp pollAbandoned(TakeUp order) {
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
    public WriteAnswer resolve(Resolution resolution) {
        if (resolution.verdict() instanceof Resolution.Done done) {
            var sealed = sealed(done.outcome(), resolution.claim().lookup(), Kind.OUTCOME);
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
    public Erased erase(ErasureOrder order) {
        return inner.erase(order);
    }

    @Override
    public long countKeys(String scope, long upTo) {
        return inner.countKeys(scope, upTo);
    }

    @Override
    public Census countUnsettled(int limit) {
        return inner.countUnsettled(limit);
    }

    @Override
    public void close() {
        inner.close();
    }

    private ClaimRequest sealed(ClaimRequest request) {
        return request.withStoredRequest(sealed(request.request(), request.lookup(), Kind.REQUEST));
    }

    private Write sealed(Write write) {
        var lookup = write.claim().lookup();
        return switch (write) {
            case Write.Complete complete ->
                new Write.Complete(
                        complete.claim(), sealed(complete.outcome(), lookup, Kind.OUTCOME), complete.retention());
            case Write.Checkpoint point ->
                new Write.Checkpoint(
                        point.claim(),
                        point.recoveryPoint(),
                        sealed(point.carried(), lookup, Kind.CARRIED),
                        point.lease());
            default -> write;
        };
    }

    private Optional<Payload> sealed(Optional<Payload> plain, Lookup lookup, Kind kind) {
        return plain.map(p -> cipher.encrypt(p, lookup, kind));
    }

    private ClaimAnswer opened(ClaimAnswer answer) {
        return switch (answer) {
            case ClaimAnswer.Acquired acquired -> new ClaimAnswer.Acquired(opened(acquired.record()));
            case ClaimAnswer.Found found -> new ClaimAnswer.Found(opened(found.record()));
            case ClaimAnswer.Unseen unseen -> unseen;
        };
    }

    private WriteAnswer opened(WriteAnswer answer) {
        return answer instanceof WriteAnswer.Refused refused
                ? new WriteAnswer.Refused(refused.current().map(this::opened))
                : answer;
    }

    private StoredRecord opened(StoredRecord record) {
        return record.withPayloads(
                record.outcome().map(p -> cipher.decrypt(p, record.lookup(), Kind.OUTCOME)),
                record.request().map(p -> cipher.decrypt(p, record.lookup(), Kind.REQUEST)),
                record.carried().map(p -> cipher.decrypt(p, record.lookup(), Kind.CARRIED)));
    }

    private final class EncryptingTransactions<C> implements Transactions<C> {
        private final Transactions<C> plain;

        private EncryptingTransactions(Transactions<C> plain) {
            this.plain = plain;
        }

        @Override
        public Store store() {
            return EncryptingStore.this;
        }

        @Override
        public List<Unfinished> listUnfinished(String namespace, Duration longerThan, int limit) {
            return plain.listUnfinished(namespace, longerThan, limit);
        }

        @Override
        public StoreTransaction<C> begin() {
            return new EncryptingTransaction<>(plain.begin());
        }

        @Override
        public PhaseTransaction<C> beginPhase() {
            return new EncryptingPhase<>(plain.beginPhase());
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
        public ClaimAnswer tryClaim(ClaimRequest request) {
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
        public WriteAnswer complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
            return opened(plain.complete(sealed(request), acquired, sealed(outcome, request.lookup(), Kind.OUTCOME)));
        }

        @Override
        public WriteAnswer completeAndCommit(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
            return opened(
                    plain.completeAndCommit(sealed(request), acquired, sealed(outcome, request.lookup(), Kind.OUTCOME)));
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

    private final class EncryptingPhase<C> implements PhaseTransaction<C> {
        private final PhaseTransaction<C> plain;

        private EncryptingPhase(PhaseTransaction<C> plain) {
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
        public WriteAnswer writeAndCommit(Write write) {
            return opened(plain.writeAndCommit(sealed(write)));
        }

        @Override
        public void close() {
            plain.close();
        }
    }
}
