package dev.refrain.internal.run;

import dev.refrain.api.Claim;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Claim while its work runs: the choices of the work, and how long the lease certainly still holds. */
final class RunningClaim implements Claim {

    private final StoredRecord record;
    private final ExecutionEnvironment environment;
    private final long askedAt;
    private final Consumer<String> steps;
    private final long begunAt;
    private volatile long leaseEnd;
    private volatile long renewedAt;
    private final AtomicBoolean renewing = new AtomicBoolean();
    private final CompletableFuture<@Nullable Void> overran = new CompletableFuture<>();
    private volatile boolean fencedOut;
    private volatile boolean sent;
    private volatile boolean unstoredAnswer;
    private volatile boolean kept = true;
    private volatile boolean nothingHappened;
    private volatile Optional<String> whyStateOnly = Optional.empty();
    private volatile Optional<Retention> retention = Optional.empty();
    private volatile boolean leftToLease;
    private volatile boolean settled;
    private volatile Optional<Payload> settledWith = Optional.empty();
    private volatile Optional<StoredRecord> winner = Optional.empty();

    /**
     * Creates the claim.
     *
     * @param askedAt time before the claim was sent: counted from here, the lease ends no later than at the store
     * @param steps called with each step whose derived key is requested
     */
    RunningClaim(
            StoredRecord record,
            ExecutionEnvironment environment,
            long askedAt,
            Duration lease,
            Consumer<String> steps) {
        this.record = record;
        this.environment = environment;
        this.askedAt = askedAt;
        this.steps = steps;
        this.begunAt = environment.nanoTime();
        this.renewedAt = askedAt;
        this.leaseEnd = askedAt + lease.toNanos();
    }

    /** Creates the claim of work that runs although the store is unreachable; it is never stored. */
    static RunningClaim withoutRecord(RecordId id, ExecutionEnvironment environment) {
        var none = new StoredRecord(
                KeyHash.of(id.value()),
                id,
                1,
                id.value(),
                RecordState.IN_PROGRESS,
                LeaseExpiryPolicy.RESUME,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new RunningClaim(none, environment, environment.nanoTime(), Duration.ofDays(1), step -> {});
    }

    ClaimRef ref() {
        return record.claim();
    }

    StoredRecord record() {
        return record;
    }

    Duration ran() {
        return Duration.ofNanos(environment.nanoTime() - begunAt);
    }

    Duration sinceRenewed() {
        return Duration.ofNanos(environment.nanoTime() - renewedAt);
    }

    /** Returns the certain rest of the lease; zero or negative when it may have expired. */
    Duration leaseLeft() {
        return Duration.ofNanos(leaseEnd - environment.nanoTime());
    }

    void renewed(long askedAt, Duration lease) {
        renewedAt = askedAt;
        leaseEnd = askedAt + lease.toNanos();
    }

    /** Begins a renewal; returns false if one is in progress. */
    boolean beginRenewal() {
        return renewing.compareAndSet(false, true);
    }

    void endRenewal() {
        renewing.set(false);
    }

    /** Calls the action on a thread of its own once the maximum run time is exceeded, or now if it is. */
    void onMaxRunTimeExceeded(Runnable action) {
        var unused = overran.thenRunAsync(action, task -> environment.startThread("refrain-overrun", task));
    }

    void exceedMaxRunTime() {
        overran.complete(null);
    }

    void fencedOut() {
        fencedOut = true;
    }

    /** Records that a phase found the record taken over; with its current state, if it still exists. */
    void lostTo(Optional<StoredRecord> current) {
        winner = current;
    }

    Optional<StoredRecord> winner() {
        return winner;
    }

    void leaveToLease() {
        leftToLease = true;
    }

    boolean isLeftToLease() {
        return leftToLease;
    }

    /** Records that the work's own transaction completed the record. */
    void settled(Optional<Payload> outcome) {
        settledWith = outcome;
        settled = true;
    }

    boolean isSettled() {
        return settled;
    }

    Optional<Payload> settledWith() {
        return settledWith;
    }

    /** Returns the greatest remaining life, counted from when the store's answer arrived: no less than by the store's clock. */
    Optional<Duration> mostLifeLeft() {
        return record.remainingLife().map(left -> left.minus(ran()));
    }

    /** Returns the least remaining life, counted from before the store was asked: no more than by the store's clock. */
    @Override
    public Optional<Duration> minRemainingLife() {
        return record.remainingLife().map(left -> left.minusNanos(environment.nanoTime() - askedAt));
    }

    boolean kept() {
        return kept;
    }

    boolean saidNothingHappened() {
        return nothingHappened;
    }

    Optional<Retention> retention() {
        return retention;
    }

    @Override
    public RecordId recordId() {
        return record.id();
    }

    @Override
    public long fence() {
        return record.fence();
    }

    @Override
    public Optional<RecoveryPoint> recoveryPoint() {
        return record.recoveryPoint();
    }

    @Override
    public Optional<Payload> carriedState() {
        return record.carried();
    }

    @Override
    public String derivedKey(String step) {
        sent = true;
        unstoredAnswer = true;
        steps.accept(step);
        return record.id().keyFor(step);
    }

    @Override
    public boolean mayHaveSent() {
        return sent;
    }

    /** Returns true if a call may have been sent since the last commit: its answer would be lost with this run. */
    boolean hasUnstoredAnswer() {
        return unstoredAnswer;
    }

    /** Records that a phase has committed what is known of the calls that were sent before it. */
    void answerStored() {
        unstoredAnswer = false;
    }

    @Override
    public boolean isLost() {
        return fencedOut || !leaseLeft().isPositive();
    }

    @Override
    public void retainFor(Retention other) {
        retention = Optional.of(other);
    }

    @Override
    public void doNotKeepAnswer() {
        kept = false;
    }

    @Override
    public void keepStateOnly(String reason) {
        whyStateOnly = Optional.of(reason);
    }

    Optional<String> whyStateOnly() {
        return whyStateOnly;
    }

    @Override
    public void declareNoEffect() {
        nothingHappened = true;
    }
}
