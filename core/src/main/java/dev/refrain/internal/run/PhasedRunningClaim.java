package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.FingerprintedCall;
import dev.refrain.phase.ClaimLostException;
import dev.refrain.phase.Phase;
import dev.refrain.phase.PhaseTransition;
import dev.refrain.phase.PhasedClaim;
import dev.refrain.store.CommitRejectedException;
import dev.refrain.store.PhaseRolledBackException;
import dev.refrain.store.PhaseTransaction;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;

/** Phases of one run, delegating everything else to the claim. */
final class PhasedRunningClaim<C> implements PhasedClaim<C> {

    /** Number of conflicts in a row after which a phase, with its whole run, is postponed. */
    private static final int TRIES = 10;

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final RunSettings settings;
    private final FingerprintedCall ask;
    private final RunningClaim claim;
    private final StoreTransactionFactory<C> transactions;
    private final OutcomeRecorder saving;
    private final BatchedStoreClient storeClient;
    private final ExecutionEnvironment environment;
    private final ConnectionCheck connections;
    private boolean phaseBegun;

    PhasedRunningClaim(
            RunSettings settings,
            FingerprintedCall ask,
            RunningClaim claim,
            StoreTransactionFactory<C> transactions,
            OutcomeRecorder saving,
            BatchedStoreClient storeClient,
            ExecutionEnvironment environment,
            ConnectionCheck connections) {
        this.settings = settings;
        this.ask = ask;
        this.claim = claim;
        this.transactions = transactions;
        this.saving = saving;
        this.storeClient = storeClient;
        this.environment = environment;
        this.connections = connections;
    }

    /**
     * Commits a phase. While an answer of another system is not stored, neither a shutdown's interrupt nor a pool that gives no connection ends
     * the run as long as its lease lives: without the answer nobody could tell what the call did.
     */
    @Override
    public <X extends Exception> PhaseTransition commit(Phase<C, X> phase) throws X {
        boolean interrupted = false;
        try {
            for (int tries = 1; ; tries++) {
                var ended = tried(phase, tries >= TRIES);
                if (ended.isPresent()) {
                    return ended.get();
                }
                interrupted |= keepsAnswer() && Thread.interrupted();
                long pauses = Math.min(tries, TRIES);
                environment.sleep(PAUSE.multipliedBy(pauses * pauses));
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean keepsAnswer() {
        return claim.hasUnstoredAnswer() && !claim.isLost();
    }

    /** Runs a phase; empty if it was rolled back and is to run again. */
    private <X extends Exception> Optional<PhaseTransition> tried(Phase<C, X> phase, boolean enough) throws X {
        PhaseTransition ending;
        RecordWrite write;
        StoreException inDoubt;
        var begun = begun();
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        try (var transaction = begun.get()) {
            phaseBegun = true;
            try {
                ending = phase.run(transaction.connection());
            } catch (Throwable failure) {
                if (mayTryAgain(enough) && transaction.isRetryableConflict(failure)) {
                    return Optional.empty();
                }
                throw failure;
            }
            write = writing(ending);
            long askedAt = environment.nanoTime();
            try {
                requireWritten(transaction.writeAndCommit(write));
                committed(write, askedAt);
                return Optional.of(ending);
            } catch (StoreException failed) {
                if (failed.effect() == Effect.NONE) {
                    if (mayTryAgain(enough) && failed.isTransient()) {
                        return Optional.empty();
                    }
                    throw failed;
                }
                inDoubt = failed;
            }
        }
        // Release the connection first: the next query may be waiting for it.
        if (isCommitted(write, inDoubt)) {
            return Optional.of(ending);
        }
        if (!mayTryAgain(enough)) {
            throw inDoubt;
        }
        return Optional.empty();
    }

    private boolean mayTryAgain(boolean enough) {
        return !enough || keepsAnswer();
    }

    /** Begins the phase's transaction; empty if that failed and is to be tried again. */
    private Optional<PhaseTransaction<C>> begun() {
        if (!hasRun()) {
            connections.require();
        }
        try {
            return Optional.of(transactions.beginPhase(ask.identity().scope(), hasRun(), settings.transactionLimits()));
        } catch (StoreException failed) {
            if (keepsAnswer() && failed.isTransient()) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    /**
     * Says of a failure that ends the run what ran: nothing, if no phase had begun, here or in an earlier run. A rejected commit says so
     * already.
     */
    StoreException explained(StoreException failure) {
        return !hasRun() || failure instanceof CommitRejectedException || failure instanceof PhaseRolledBackException
                ? failure
                : new PhaseRolledBackException(settings.operation(), failure);
    }

    /** Returns true if something may have happened: a phase began, here or in an earlier run, or something was sent. */
    private boolean hasRun() {
        return phaseBegun || claim.recoveryPoint().isPresent() || claim.mayHaveSent();
    }

    private RecordWrite writing(PhaseTransition ending) {
        return switch (ending) {
            case PhaseTransition.Checkpoint passed ->
                new RecordWrite.Checkpoint(claim.ref(), passed.point(), passed.carried(), leaseIfNeeded());
            case PhaseTransition.Completion done ->
                new RecordWrite.Complete(
                        claim.ref(),
                        saving.toStoredOutcome(settings, claim, done.answer()),
                        settings.keeping().retention(claim));
        };
    }

    /**
     * Returns a new lease only if needed: each renewal costs the store an index entry, and a fresh lease lasts until the
     * heartbeat.
     */
    private Optional<Duration> leaseIfNeeded() {
        var lease = settings.leasing().lease();
        boolean fresh = claim.leaseLeft().multipliedBy(3).compareTo(lease.multipliedBy(2)) > 0;
        return fresh ? Optional.empty() : Optional.of(lease);
    }

    private void requireWritten(RecordWriteResponse answer) {
        switch (answer) {
            case RecordWriteResponse.Written written -> {}
            case RecordWriteResponse.Failed failed -> throw failed.failure();
            case RecordWriteResponse.Refused refused -> throw lostTo(refused.current());
        }
    }

    private ClaimLostException lostTo(Optional<StoredRecord> winner) {
        claim.lostTo(winner);
        return new ClaimLostException(settings.operation());
    }

    private void committed(RecordWrite write, long askedAt) {
        claim.answerStored();
        if (write instanceof RecordWrite.Complete complete) {
            claim.settled(complete.outcome());
        } else if (write instanceof RecordWrite.Checkpoint checkpoint) {
            checkpoint.lease().ifPresent(lease -> claim.renewed(askedAt, lease));
            saving.reportCheckpoint(settings, claim, checkpoint.recoveryPoint());
        }
    }

    /**
     * Checks whether an indeterminate commit took effect. While the broken transaction lives it locks the record's row; once a
     * renewal succeeds, the record can be read reliably.
     */
    private boolean isCommitted(RecordWrite write, StoreException inDoubt) {
        while (claim.leaseLeft().isPositive()) {
            long askedAt = environment.nanoTime();
            try {
                var lease = settings.leasing().lease();
                boolean ours = storeClient.renew(new RecordWrite.Renew(claim.ref(), lease), claim.leaseLeft())
                        instanceof RecordWriteResponse.Written;
                if (ours) {
                    claim.renewed(askedAt, lease);
                }
                var current = storeClient.find(ask.identity(), claim.leaseLeft());
                if (current.filter(record -> isAs(record, write)).isPresent()) {
                    committed(write, askedAt);
                    return true;
                }
                if (!ours) {
                    throw lostTo(current);
                }
                return false;
            } catch (StoreException away) {
                environment.sleep(PAUSE.multipliedBy(TRIES));
            }
        }
        throw saving.outcomeUnknown(
                settings, claim, "the commit's reply was lost and the store is unreachable.", inDoubt);
    }

    private boolean isAs(StoredRecord record, RecordWrite write) {
        return record.claim().equals(claim.ref())
                && switch (write) {
                    case RecordWrite.Checkpoint passed ->
                        record.recoveryPoint().equals(Optional.of(passed.recoveryPoint()));
                    default -> record.state() == RecordState.COMPLETED;
                };
    }

    @Override
    public void holdUntilLeaseExpires() {
        claim.leaveToLease();
    }

    @Override
    public Optional<Payload> storedRequest() {
        return claim.record().request().or(ask::stored);
    }

    @Override
    public Duration remainingLease() {
        return claim.leaseLeft();
    }

    @Override
    public Optional<Duration> maxRemainingLife() {
        return claim.mostLifeLeft();
    }

    @Override
    public Optional<Duration> minRemainingLife() {
        return claim.minRemainingLife();
    }

    @Override
    public RecordId recordId() {
        return claim.recordId();
    }

    @Override
    public long fence() {
        return claim.fence();
    }

    @Override
    public Optional<RecoveryPoint> recoveryPoint() {
        return claim.recoveryPoint();
    }

    @Override
    public Optional<Payload> carriedState() {
        return claim.carriedState();
    }

    @Override
    public String derivedKey(String step) {
        return claim.derivedKey(step);
    }

    @Override
    public boolean mayHaveSent() {
        return claim.mayHaveSent();
    }

    @Override
    public boolean isLost() {
        return claim.isLost();
    }

    @Override
    public void retainFor(Retention retention) {
        claim.retainFor(retention);
    }

    @Override
    public void doNotKeepAnswer() {
        claim.doNotKeepAnswer();
    }

    @Override
    public void keepStateOnly(String reason) {
        claim.keepStateOnly(reason);
    }

    @Override
    public void declareNoEffect() {
        claim.declareNoEffect();
    }
}
