package dev.refrain.internal.run;

import dev.refrain.api.Claim;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A claim while its work runs: what the work steers, and how long it certainly still holds. */
final class RunningClaim implements Claim {

    private final StoredRecord record;
    private final ExecutionEnvironment environment;
    private final long askedAt;
    private final long begunAt;
    private volatile long leaseEnd;
    private volatile long renewedAt;
    private final AtomicBoolean renewing = new AtomicBoolean();
    private volatile boolean fencedOut;
    private volatile boolean sent;
    private volatile boolean kept = true;
    private volatile boolean nothingHappened;
    private volatile Optional<String> whyStateOnly = Optional.empty();
    private volatile Optional<Retention> retention = Optional.empty();
    private volatile boolean leftToLease;
    private volatile boolean settled;
    private volatile Optional<Payload> settledWith = Optional.empty();
    private volatile Optional<StoredRecord> winner = Optional.empty();

    /** @param askedAt before the claim was sent: counted from here, the lease ends no later than it does at the store */
    RunningClaim(StoredRecord record, ExecutionEnvironment environment, long askedAt, Duration lease) {
        this.record = record;
        this.environment = environment;
        this.askedAt = askedAt;
        this.begunAt = environment.nanoTime();
        this.renewedAt = askedAt;
        this.leaseEnd = askedAt + lease.toNanos();
    }

    /** The claim of work that runs although the store is out of reach; never saved. */
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
        return new RunningClaim(none, environment, environment.nanoTime(), Duration.ofDays(1));
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

    /** What is certainly left of the lease; zero or less when it may be over. */
    Duration leaseLeft() {
        return Duration.ofNanos(leaseEnd - environment.nanoTime());
    }

    void renewed(long askedAt, Duration lease) {
        renewedAt = askedAt;
        leaseEnd = askedAt + lease.toNanos();
    }

    /** False if a renewal is under way already. */
    boolean beginRenewal() {
        return renewing.compareAndSet(false, true);
    }

    void endRenewal() {
        renewing.set(false);
    }

    void fencedOut() {
        fencedOut = true;
    }

    /** A phase found that another claim took the record over; this is the record as that left it, if it is still there. */
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

    /** The work's own transaction has completed the record. */
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

    /** Counted on from when the store's word was heard: no less than the store would say now. */
    Optional<Duration> mostLifeLeft() {
        return record.remainingLife().map(left -> left.minus(ran()));
    }

    /** Counted on from before the store was asked: no more than the store would say now. */
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
    public Optional<String> recoveryPoint() {
        return record.recoveryPoint();
    }

    @Override
    public Optional<Payload> carriedState() {
        return record.carried();
    }

    @Override
    public String derivedKey(String step) {
        sent = true;
        return record.id().keyFor(step);
    }

    @Override
    public boolean mayHaveSent() {
        return sent;
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
