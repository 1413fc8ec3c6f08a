package dev.refrain.store.encryption;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TransactionLimits;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Transactions of the store inside, with what they store of an operation encrypted. */
record EncryptingTransactionFactory<C>(EncryptingStore store, StoreTransactionFactory<C> plain, RecordCipher cipher)
        implements StoreTransactionFactory<C> {

    @Override
    public StoreTransaction<C> begin() {
        return new EncryptingTransaction<>(plain.begin(), cipher);
    }

    @Override
    public StoreTransaction<C> begin(TransactionLimits limits) {
        return new EncryptingTransaction<>(plain.begin(limits), cipher);
    }

    @Override
    public boolean hasCapacity(String scope, Duration patience) {
        return plain.hasCapacity(scope, patience);
    }

    @Override
    public PhaseTransaction<C> beginPhase() {
        return new EncryptingPhaseTransaction<>(plain.beginPhase(), cipher);
    }

    @Override
    public PhaseTransaction<C> beginPhase(String scope, boolean runHasBegun, TransactionLimits limits) {
        return new EncryptingPhaseTransaction<>(plain.beginPhase(scope, runHasBegun, limits), cipher);
    }

    @Override
    public StoreTransaction<C> join(C connection) {
        return new EncryptingTransaction<>(plain.join(connection), cipher);
    }

    @Override
    public StoreTransaction<C> join(C connection, TransactionLimits limits) {
        return new EncryptingTransaction<>(plain.join(connection, limits), cipher);
    }

    private record EncryptingTransaction<C>(StoreTransaction<C> plain, RecordCipher cipher)
            implements StoreTransaction<C> {

        @Override
        public C connection() {
            return plain.connection();
        }

        @Override
        public ClaimResponse tryClaim(ClaimRequest request) {
            return cipher.decrypt(plain.tryClaim(cipher.encrypt(request)));
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
        public RecordWriteResponse complete(ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome) {
            return cipher.decrypt(plain.complete(
                    cipher.encrypt(request),
                    acquired,
                    cipher.encryptOutcome(Optional.ofNullable(outcome), request.lookup())
                            .orElse(null)));
        }

        @Override
        public RecordWriteResponse completeAndCommit(
                ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome) {
            return cipher.decrypt(plain.completeAndCommit(
                    cipher.encrypt(request),
                    acquired,
                    cipher.encryptOutcome(Optional.ofNullable(outcome), request.lookup())
                            .orElse(null)));
        }

        @Override
        public void abort() {
            plain.abort();
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

    private record EncryptingPhaseTransaction<C>(PhaseTransaction<C> plain, RecordCipher cipher)
            implements PhaseTransaction<C> {

        @Override
        public C connection() {
            return plain.connection();
        }

        @Override
        public boolean isRetryableConflict(Throwable failure) {
            return plain.isRetryableConflict(failure);
        }

        @Override
        public RecordWriteResponse writeAndCommit(RecordWrite write) {
            return cipher.decrypt(write, plain.writeAndCommit(cipher.encrypt(write)));
        }

        @Override
        public void close() {
            plain.close();
        }
    }
}
