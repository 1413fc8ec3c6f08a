package dev.refrain.run;

import dev.refrain.Environment;
import dev.refrain.batch.Lanes;
import dev.refrain.claim.Ask;
import dev.refrain.key.RecordId;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.Retention;
import dev.refrain.store.State;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Transactions;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.Optional;

/** The phases of one run. Everything that is not a phase is the claim's own. */
final class Phases<C> implements PhasedClaim<C> {

    /** A phase that loses so many races in a row is put off with its whole run. */
    private static final int TRIES = 10;

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final RunSettings settings;
    private final Ask ask;
    private final RunningClaim claim;
    private final Transactions<C> transactions;
    private final Saving saving;
    private final Lanes lanes;
    private final Environment environment;

    Phases(
            RunSettings settings,
            Ask ask,
            RunningClaim claim,
            Transactions<C> transactions,
            Saving saving,
            Lanes lanes,
            Environment environment) {
        this.settings = settings;
        this.ask = ask;
        this.claim = claim;
        this.transactions = transactions;
        this.saving = saving;
        this.lanes = lanes;
        this.environment = environment;
    }

    @Override
    public <X extends Exception> Ending commit(Phase<C, X> phase) throws X {
        for (int tries = 1; ; tries++) {
            var ended = tried(phase, tries == TRIES);
            if (ended.isPresent()) {
                return ended.get();
            }
            environment.sleep(PAUSE.multipliedBy((long) tries * tries));
        }
    }

    /** Empty if nothing of it is left and it is to run again. */
    private <X extends Exception> Optional<Ending> tried(Phase<C, X> phase, boolean last) throws X {
        Ending ending;
        Write write;
        StoreException inDoubt;
        try (var transaction = transactions.beginPhase()) {
            try {
                ending = phase.run(transaction.connection());
            } catch (Throwable failure) {
                if (!last && transaction.isRetryableConflict(failure)) {
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
                    if (!last && failed.isTransient()) {
                        return Optional.empty();
                    }
                    throw failed;
                }
                inDoubt = failed;
            }
        }
        // Its connection first: whoever is asked now may be waiting for it.
        if (isCommitted(write, inDoubt)) {
            return Optional.of(ending);
        }
        if (last) {
            throw inDoubt;
        }
        return Optional.empty();
    }

    private Write writing(Ending ending) {
        return switch (ending) {
            case Ending.Passed passed ->
                new Write.Checkpoint(claim.ref(), passed.point(), passed.carried(), leaseIfNeeded());
            case Ending.Done done ->
                new Write.Complete(
                        claim.ref(),
                        saving.toStoredOutcome(settings, claim, done.answer()),
                        settings.keeping().retention(claim));
        };
    }

    /** Each renewal costs the store an entry in an index; what is fresh does until the heartbeat's. */
    private Optional<Duration> leaseIfNeeded() {
        var lease = settings.leasing().lease();
        boolean fresh = claim.leaseLeft().multipliedBy(3).compareTo(lease.multipliedBy(2)) > 0;
        return fresh ? Optional.empty() : Optional.of(lease);
    }

    private void requireWritten(WriteAnswer answer) {
        if (answer instanceof WriteAnswer.Refused refused) {
            throw new ClaimLostException(settings.operation(), refused.current());
        }
    }

    private void committed(Write write, long askedAt) {
        if (write instanceof Write.Complete complete) {
            claim.settled(complete.outcome());
        } else if (write instanceof Write.Checkpoint checkpoint) {
            checkpoint.lease().ifPresent(lease -> claim.renewed(askedAt, lease));
            saving.reportCheckpoint(settings, claim, checkpoint.recoveryPoint());
        }
    }

    /** While the broken transaction lives it holds the record's row; once a renewal gets by, what can be read is the truth. */
    private boolean isCommitted(Write write, StoreException inDoubt) {
        while (claim.leaseLeft().isPositive()) {
            long askedAt = environment.nanoTime();
            try {
                var lease = settings.leasing().lease();
                boolean ours = lanes.renew(new Write.Renew(claim.ref(), lease), claim.leaseLeft())
                        instanceof WriteAnswer.Written;
                if (ours) {
                    claim.renewed(askedAt, lease);
                }
                var current = lanes.find(ask.identity(), claim.leaseLeft());
                if (current.filter(record -> isAs(record, write)).isPresent()) {
                    committed(write, askedAt);
                    return true;
                }
                if (!ours) {
                    throw new ClaimLostException(settings.operation(), current);
                }
                return false;
            } catch (StoreException away) {
                environment.sleep(PAUSE.multipliedBy(TRIES));
            }
        }
        throw saving.outcomeUnknown(settings, claim, "the commit's reply was lost and the store cannot be asked.", inDoubt);
    }

    private boolean isAs(StoredRecord record, Write write) {
        return record.claim().equals(claim.ref())
                && switch (write) {
                    case Write.Checkpoint passed -> record.recoveryPoint().equals(Optional.of(passed.recoveryPoint()));
                    default -> record.state() == State.COMPLETED;
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
    public Optional<String> recoveryPoint() {
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
