package dev.refrain.testing;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of a ledger in memory, with key locks, a bounded pool and commits that can be lost: enough to test what the
 * run makes of a transaction. How a database keeps its part of the contract is tested with real ones in {@code stores/jdbc}.
 */
public final class InMemoryTransactionFactory
        implements StoreTransactionFactory<InMemoryTransactionFactory.InMemoryTransaction> {

    /** What becomes of one commit. */
    public enum CommitFault {
        /** Nothing happened, and that is known. */
        FAILS,
        /** It happened, and the reply is lost. */
        REPLY_LOST,
        /** It did not happen, and the reply is lost. */
        LOST,
        /** It did not happen, the reply is lost, and the server has not noticed yet: the lock is still held. */
        LOST_AND_LINGERS
    }

    private volatile boolean overloaded;

    /** One open transaction as the work sees it. */
    public final class InMemoryTransaction {
        private final List<String> written = new ArrayList<>();
        private final List<Runnable> onCommit = new ArrayList<>();
        private final List<KeyHash> locked = new ArrayList<>();
        private final Map<KeyHash, StoredRecord> settled = new HashMap<>();

        private InMemoryTransaction() {}

        public void write(String entry) {
            written.add(entry);
        }

        /** As the caller does who opened it. */
        public void commit() {
            synchronized (InMemoryTransactionFactory.this) {
                onCommit.forEach(Runnable::run);
                ledger.addAll(written);
                end();
            }
        }

        public void rollback() {
            end();
        }

        private void end() {
            synchronized (InMemoryTransactionFactory.this) {
                locked.forEach(locks::remove);
                locked.clear();
                written.clear();
                onCommit.clear();
                settled.clear();
            }
        }
    }

    private final Store store;
    private final List<String> ledger = new ArrayList<>();
    private final Map<KeyHash, InMemoryTransaction> locks = new HashMap<>();
    private final Queue<CommitFault> commits = new ArrayDeque<>();
    private final List<InMemoryTransaction> lingering = new ArrayList<>();
    private int connections = Integer.MAX_VALUE;
    private boolean failingToClose;
    private boolean failingToRollBack;
    private int open;
    private int entered;

    public InMemoryTransactionFactory(Store store) {
        this.store = store;
    }

    /** What was committed, in order. */
    public synchronized List<String> ledger() {
        return List.copyOf(ledger);
    }

    public synchronized void nextCommit(CommitFault commit) {
        commits.add(commit);
    }

    public synchronized void pool(int size) {
        connections = size;
    }

    /** From now on what is closed says that it was broken. */
    public synchronized void failToClose() {
        failingToClose = true;
    }

    /** From now on work cannot be rolled back alone, as where its connection is lost. */
    public synchronized void failToRollBackWork() {
        failingToRollBack = true;
    }

    /** Transactions that were begun and not closed. */
    public synchronized int open() {
        return open;
    }

    /** How often a key's lock was tested. */
    public synchronized int entered() {
        return entered;
    }

    /** The server notices that the connection is gone. */
    public synchronized void noticeLostConnections() {
        lingering.forEach(InMemoryTransaction::end);
        lingering.clear();
    }

    /** A transaction of the caller's own, to be joined. */
    public InMemoryTransaction books() {
        return new InMemoryTransaction();
    }

    /** Refuses every transaction from now on, as a pool does that too many wait for. */
    public void overload() {
        overloaded = true;
    }

    @Override
    public boolean hasCapacity(String scope, Duration patience) {
        return !overloaded;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public synchronized StoreTransaction<InMemoryTransaction> begin() {
        if (open >= connections) {
            throw StoreException.unavailable("The pool has no connection left.", Effect.NONE, null);
        }
        open++;
        return new InMemoryStoreTransaction(new InMemoryTransaction(), true);
    }

    @Override
    public synchronized PhaseTransaction<InMemoryTransaction> beginPhase() {
        if (open >= connections) {
            throw StoreException.unavailable("The pool has no connection left.", Effect.NONE, null);
        }
        open++;
        return new InMemoryPhaseTransaction(new InMemoryTransaction());
    }

    /** Commits its writes and the record's change in one step, or neither. */
    private final class InMemoryPhaseTransaction implements PhaseTransaction<InMemoryTransaction> {
        private final InMemoryTransaction books;

        InMemoryPhaseTransaction(InMemoryTransaction books) {
            this.books = books;
        }

        @Override
        public InMemoryTransaction connection() {
            return books;
        }

        @Override
        public boolean isRetryableConflict(Throwable failure) {
            return failure instanceof ConcurrentModificationException;
        }

        @Override
        public RecordWriteResponse writeAndCommit(RecordWrite write) {
            synchronized (InMemoryTransactionFactory.this) {
                var how = commits.poll();
                if (how == CommitFault.FAILS) {
                    throw StoreException.unavailable("could not serialise", Effect.NONE, null);
                }
                if (how == null || how == CommitFault.REPLY_LOST) {
                    var answer = store.write(List.of(write)).getFirst();
                    if (answer instanceof RecordWriteResponse.Written) {
                        books.commit();
                    }
                    if (how == null) {
                        return answer;
                    }
                }
            }
            throw StoreException.unavailable("the connection was lost in COMMIT", Effect.UNKNOWN, null);
        }

        @Override
        public void close() {
            synchronized (InMemoryTransactionFactory.this) {
                open--;
                books.rollback();
            }
        }
    }

    @Override
    public StoreTransaction<InMemoryTransaction> join(InMemoryTransaction connection) {
        return new InMemoryStoreTransaction(connection, false);
    }

    private final class InMemoryStoreTransaction implements StoreTransaction<InMemoryTransaction> {
        private final InMemoryTransaction books;
        private final boolean own;
        private Optional<StoredRecord> seen = Optional.empty();
        private int mark;
        private boolean closed;

        InMemoryStoreTransaction(InMemoryTransaction books, boolean own) {
            this.books = books;
            this.own = own;
        }

        @Override
        public InMemoryTransaction connection() {
            return books;
        }

        @Override
        public ClaimResponse tryClaim(ClaimRequest request) {
            synchronized (InMemoryTransactionFactory.this) {
                entered++;
                if (locks.getOrDefault(request.lookup(), books) != books) {
                    return new ClaimResponse.LockedByTransaction();
                }
                locks.put(request.lookup(), books);
                books.locked.add(request.lookup());
                mark = books.written.size();
                seen = current(request);
                if (seen.isEmpty()) {
                    return new ClaimResponse.Acquired(made(request));
                }
                var record = seen.get();
                boolean alike = record.fingerprint().equals(Optional.of(request.fingerprint()));
                return alike && record.isClaimable()
                        ? new ClaimResponse.Acquired(taken(request, record))
                        : new ClaimResponse.Found(record);
            }
        }

        /** What this transaction has settled itself it can see, and nobody else can. */
        private Optional<StoredRecord> current(ClaimRequest request) {
            var own = books.settled.get(request.lookup());
            return own != null
                    ? Optional.of(own)
                    : store.find(List.of(request.identity())).getFirst();
        }

        private static StoredRecord made(ClaimRequest request) {
            return record(request, new RecordId(request.nonce()), 1);
        }

        private static StoredRecord taken(ClaimRequest request, StoredRecord before) {
            return record(request, before.id(), before.fence() + 1);
        }

        private static StoredRecord record(ClaimRequest request, RecordId id, long fence) {
            return new StoredRecord(
                    request.lookup(),
                    id,
                    fence,
                    request.nonce(),
                    RecordState.IN_PROGRESS,
                    request.leaseExpiryPolicy(),
                    Optional.of(request.fingerprint()),
                    Optional.empty(),
                    Duration.ZERO,
                    request.retention().duration(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        @Override
        public void rollbackWork() {
            if (failingToRollBack) {
                throw StoreException.unavailable("Rolling back the work: no connection.", Effect.NONE, null);
            }
            books.written.subList(mark, books.written.size()).clear();
        }

        @Override
        public RecordWriteResponse complete(ClaimRequest request, StoredRecord acquired, @Nullable Payload outcome) {
            synchronized (InMemoryTransactionFactory.this) {
                var now = current(request);
                if (!now.map(StoredRecord::claim).equals(seen.map(StoredRecord::claim))
                        || !now.map(StoredRecord::state).equals(seen.map(StoredRecord::state))) {
                    return new RecordWriteResponse.Refused(now);
                }
                books.onCommit.add(() -> {
                    store.claim(List.of(request));
                    store.write(List.of(new RecordWrite.Complete(
                            acquired.claim(), Optional.ofNullable(outcome), Optional.empty())));
                });
                books.settled.put(request.lookup(), acquired.asCompleted(outcome));
                return new RecordWriteResponse.Written();
            }
        }

        @Override
        public void commit() {
            if (!own) {
                return;
            }
            CommitFault how;
            synchronized (InMemoryTransactionFactory.this) {
                how = commits.poll();
            }
            if (how == null) {
                books.commit();
                return;
            }
            switch (how) {
                case FAILS -> throw StoreException.unavailable("could not serialise", Effect.NONE, null);
                case REPLY_LOST -> books.commit();
                case LOST -> books.rollback();
                case LOST_AND_LINGERS -> {
                    synchronized (InMemoryTransactionFactory.this) {
                        lingering.add(books);
                    }
                }
            }
            throw StoreException.unavailable("the connection was lost in COMMIT", Effect.UNKNOWN, null);
        }

        @Override
        public void close() {
            synchronized (InMemoryTransactionFactory.this) {
                if (own && !closed) {
                    closed = true;
                    open--;
                    if (!lingering.contains(books)) {
                        books.rollback();
                    }
                }
                if (failingToClose) {
                    throw StoreException.unavailable("the connection was lost in ROLLBACK", Effect.UNKNOWN, null);
                }
            }
        }
    }
}
