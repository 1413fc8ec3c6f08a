package dev.refrain.store.encryption;

import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import java.util.Optional;

/** Transactions of the store inside, with what they store of an operation encrypted. */
record EncryptingTransactionFactory<C>(EncryptingStore store, StoreTransactionFactory<C> plain, RecordCipher cipher)
        implements StoreTransactionFactory<C> {

    @Override
    public StoreTransaction<C> begin() {
        return new EncryptingTransaction<>(plain.begin(), cipher);
    }

    @Override
    public PhaseTransaction<C> beginPhase() {
        return new EncryptingPhaseTransaction<>(plain.beginPhase(), cipher);
    }

    @Override
    public StoreTransaction<C> join(C connection) {
        return new EncryptingTransaction<>(plain.join(connection), cipher);
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
        public WriteResponse complete(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
            return cipher.decrypt(plain.complete(
                    cipher.encrypt(request), acquired, cipher.encryptOutcome(outcome, request.lookup())));
        }

        @Override
        public WriteResponse completeAndCommit(ClaimRequest request, StoredRecord acquired, Optional<Payload> outcome) {
            return cipher.decrypt(plain.completeAndCommit(
                    cipher.encrypt(request), acquired, cipher.encryptOutcome(outcome, request.lookup())));
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
        public WriteResponse writeAndCommit(RecordWrite write) {
            return cipher.decrypt(write, plain.writeAndCommit(cipher.encrypt(write)));
        }

        @Override
        public void close() {
            plain.close();
        }
    }
}
