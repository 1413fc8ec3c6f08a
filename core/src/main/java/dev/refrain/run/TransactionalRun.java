package dev.refrain.run;

import dev.refrain.Environment;
import dev.refrain.claim.Ask;
import dev.refrain.claim.ClaimResult;
import dev.refrain.claim.Claimer;
import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import dev.refrain.replay.Waiters;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.Transactions;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operation transactional: claim, business writes and outcome commit together, so there is no window in which one
 * stands without the other.
 *
 * <p>A kept failure takes the work's writes back and commits the outcome; one that is not kept takes back everything. An
 * indeterminate commit is settled by taking the key's lock again and reading.
 */
public final class TransactionalRun {

    private static final Duration SETTLE_PAUSE = Duration.ofMillis(50);
    private static final Duration NO_LEASE = Duration.ofSeconds(30);
    private static final int FIRST_SERVER_ERROR = 500;

    private final Entry entry;
    private final Claimer claimer;
    private final Saving saving;
    private final Waiters waiters;
    private final Drain drain;
    private final Environment environment;
    private final Listener listener;

    TransactionalRun(
            Entry entry,
            Claimer claimer,
            Saving saving,
            Waiters waiters,
            Drain drain,
            Environment environment,
            Listener listener) {
        this.entry = entry;
        this.claimer = claimer;
        this.saving = saving;
        this.waiters = waiters;
        this.drain = drain;
        this.environment = environment;
        this.listener = listener;
    }

    /** In a transaction of its own. A connection is held only while the key's lock is. */
    public <C, X extends Exception> RunResult run(
            RunSettings settings, Ask ask, Transactions<C> transactions, TransactionWork<C, X> work) throws X {
        try (var working = drain.enter(settings.operation())) {
            while (true) {
                var part = new Part<C>(settings, ask);
                var admission = entry.admit(settings, ask, () -> part.claim(transactions.begin()));
                if (admission instanceof Entry.Answered answered) {
                    return answered.result();
                }
                try (part) {
                    var result = part.runAndSettle(work);
                    if (result.isPresent()) {
                        part.commit(transactions);
                        return result.get();
                    }
                }
                // Someone else settled the key meanwhile, and nothing of this run is left: the next round answers
                // theirs.
            }
        }
    }

    /**
     * As a part of the caller's open transaction, which the caller commits or rolls back. Never waits: that would hold the
     * caller's connection.
     */
    public <C, X extends Exception> RunResult runWithin(
            RunSettings settings, Ask ask, Transactions<C> transactions, C connection, TransactionWork<C, X> work)
            throws X {
        var withoutWaiting = new RunSettings(
                settings.operation(),
                settings.leasing(),
                settings.keeping(),
                new InFlight.Reject(),
                settings.storeAway(),
                settings.patience());
        try (var working = drain.enter(settings.operation())) {
            while (true) {
                var part = new Part<C>(withoutWaiting, ask);
                var admission = entry.admit(withoutWaiting, ask, () -> part.claim(transactions.join(connection)));
                if (admission instanceof Entry.Answered answered) {
                    return answered.result();
                }
                try (part) {
                    var result = part.runAndSettle(work);
                    if (result.isPresent()) {
                        return result.get();
                    }
                }
            }
        }
    }

    /** One try inside one transaction. */
    private final class Part<C> implements AutoCloseable {
        private final RunSettings settings;
        private final Ask ask;
        private @Nullable StoreTransaction<C> transaction;
        private @Nullable ClaimRequest request;
        private @Nullable RunningClaim claim;
        private boolean settled;
        private Optional<Payload> outcome = Optional.empty();

        Part(RunSettings settings, Ask ask) {
            this.settings = settings;
            this.ask = ask;
        }

        /** Leaves the transaction open only if the claim was acquired. */
        ClaimResult claim(StoreTransaction<C> begun) {
            transaction = begun;
            long askedAt = environment.nanos();
            ClaimResult result = null;
            try {
                result = claimer.claim(ask, terms(), asked -> {
                    request = asked;
                    return begun.enter(asked);
                });
                if (result instanceof ClaimResult.Acquired acquired) {
                    claim = new RunningClaim(
                            acquired.record(),
                            environment,
                            askedAt,
                            settings.leasing().maxRun());
                }
                return result;
            } finally {
                if (!(result instanceof ClaimResult.Acquired)) {
                    begun.close();
                }
            }
        }

        private Claimer.Terms terms() {
            return new Claimer.Terms(
                    NO_LEASE, settings.leasing().takeOver(), settings.keeping().retention(), settings.patience());
        }

        /** Empty if someone else claimed the record meanwhile: then the work's writes are taken back. */
        <X extends Exception> Optional<RunResult> runAndSettle(TransactionWork<C, X> work) throws X {
            var running = Objects.requireNonNull(claim);
            var open = Objects.requireNonNull(transaction);
            Outcome.Answer answer;
            try {
                answer = work.run(running, open.connection());
            } catch (Throwable failure) {
                keepFailure(open, running, failure);
                throw failure;
            }
            boolean kept =
                    running.kept() && settings.keeping().profile().keeps().test(answer);
            if (!kept || answer.status() >= FIRST_SERVER_ERROR) {
                open.undoWork();
            }
            return !kept || settle(open, running, answer) ? Optional.of(new RunResult.Ran(answer)) : Optional.empty();
        }

        private void keepFailure(StoreTransaction<C> open, RunningClaim running, Throwable failure) {
            try {
                open.undoWork();
                if (settings.keeping().profile().keepsExceptions()
                        && settle(open, running, Failure.asAnswer(failure))) {
                    open.commit();
                    published(running);
                }
            } catch (RuntimeException notKept) {
                failure.addSuppressed(notKept);
            }
        }

        private boolean settle(StoreTransaction<C> open, RunningClaim running, Outcome.Answer answer) {
            outcome = saving.toKeep(settings, running, answer);
            settled = open.settle(Objects.requireNonNull(request), running.record(), outcome)
                    instanceof WriteAnswer.Written;
            if (!settled) {
                listener.on(new Event.FencedOut(settings.operation(), running.recordId(), running.fence()));
                open.undoWork();
            }
            return settled;
        }

        void commit(Transactions<C> transactions) {
            var running = Objects.requireNonNull(claim);
            var open = Objects.requireNonNull(transaction);
            try {
                if (settled) {
                    open.commit();
                }
            } catch (StoreException e) {
                if (e.effect() == Effect.NONE) {
                    throw e;
                }
                if (!isCommitted(transactions, running)) {
                    throw StoreException.unavailable(
                            "The commit failed and took everything back: nothing happened; retry.", Effect.NONE, e);
                }
            }
            if (settled) {
                published(running);
            }
        }

        private void published(RunningClaim running) {
            listener.on(new Event.Completed(settings.operation(), running.recordId(), running.ran()));
            waiters.completed(running.record().completedWith(outcome));
        }

        /** While the broken transaction lives it holds the lock; once the lock is ours, what can be read is the truth. */
        private boolean isCommitted(Transactions<C> transactions, RunningClaim running) {
            long deadline = environment.nanos() + settings.leasing().lease().toNanos();
            while (deadline - environment.nanos() > 0) {
                try (var again = transactions.begin()) {
                    var answer = again.enter(Objects.requireNonNull(request).as(environment.nonce()));
                    if (!(answer instanceof ClaimAnswer.Unseen)) {
                        return answer instanceof ClaimAnswer.Found found
                                && found.record().state() == State.COMPLETED
                                && found.record()
                                        .owner()
                                        .equals(running.record().owner());
                    }
                } catch (StoreException away) {
                    if (!away.passing()) {
                        break;
                    }
                }
                environment.pause(SETTLE_PAUSE);
            }
            throw saving.unknown(settings, running, "the commit's reply was lost and the store cannot be asked.", null);
        }

        @Override
        public void close() {
            if (transaction != null) {
                transaction.close();
            }
        }
    }
}
