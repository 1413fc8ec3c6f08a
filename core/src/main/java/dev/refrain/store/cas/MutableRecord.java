package dev.refrain.store.cas;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.EscalationReason;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.UnfinishedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Record with all that a store keeps of it and the changes that the protocol knows. Who changes it has checked that the change is due: {@link
 * RecordDecisions} does so for claims and writes. Not thread-safe.
 */
public final class MutableRecord {

    final KeyHash lookup;
    final RecordId id;
    final RecordClock clock;
    final Instant claimedAt;
    long fence = 1;

    /** Counts the leases of this fence: a lease that was renewed is another one. */
    long beat = 1;

    UUID owner;
    RecordState state = RecordState.IN_PROGRESS;
    LeaseExpiryPolicy takeOver;
    Duration lease = Duration.ZERO;
    Instant leaseUntil;
    Optional<Fingerprint> fingerprint = Optional.empty();
    Optional<ScopedKey> identity = Optional.empty();
    Optional<Instant> expiresAt = Optional.empty();
    Optional<String> subject = Optional.empty();
    ClaimOrigin origin = ClaimOrigin.UNKNOWN;
    RecordAttempts attemptLog = new RecordAttempts(List.of());
    boolean flow;
    Optional<RecoveryPoint> recoveryPoint = Optional.empty();
    Optional<Instant> callAnnouncedAt = Optional.empty();
    Optional<Instant> completedAt = Optional.empty();
    Optional<Payload> outcome = Optional.empty();
    Optional<Payload> request = Optional.empty();
    Optional<Payload> keptRequest = Optional.empty();
    Optional<Payload> carried = Optional.empty();
    String reason = "";
    Instant attentionSince = Instant.EPOCH;
    Instant dueAt;
    int attempts;

    /** Creates a record without contents, to be filled by who reads it from a database. */
    MutableRecord(
            KeyHash lookup, RecordId id, UUID owner, LeaseExpiryPolicy takeOver, RecordClock clock, Instant claimedAt) {
        this.lookup = lookup;
        this.id = id;
        this.owner = owner;
        this.takeOver = takeOver;
        this.clock = clock;
        this.claimedAt = claimedAt;
        leaseUntil = claimedAt;
        dueAt = claimedAt;
    }

    /** Creates the record of a key that was absent, claimed by this request. */
    public MutableRecord(ClaimRequest asked, RecordClock clock, Instant now) {
        this(asked.lookup(), new RecordId(asked.nonce()), asked.nonce(), asked.leaseExpiryPolicy(), clock, now);
        lease = asked.lease();
        leaseUntil = now.plus(lease);
        fingerprint = Optional.of(asked.fingerprint());
        identity = Optional.of(asked.identity());
        expiresAt = expiry(asked.retention());
        subject = asked.subject();
        request = asked.request();
        keptRequest = asked.keptRequest();
        flow = request.isPresent();
        origin = asked.origin();
        dueAt = leaseUntil;
    }

    public ClaimRef claim() {
        return new ClaimRef(lookup, id, fence);
    }

    public boolean expired(Instant now) {
        return seen(now.minus(clock.allowance())).isExpired();
    }

    /** Returns true if its lease ended this long ago. */
    public boolean leaseEnded(Duration grace, Instant now) {
        return !leaseUntil.plus(grace).isAfter(now);
    }

    void renew(Duration time, Instant now) {
        lease = time;
        leaseUntil = now.plus(time);
        beat++;
    }

    public Duration expiredFor(Instant now) {
        return expiresAt.map(e -> Duration.between(e, now)).orElse(Duration.ZERO);
    }

    /** Returns true if the record is settled. A record between two phases is not: the next one needs the carried state. */
    public boolean isSettled() {
        return state == RecordState.COMPLETED || (state == RecordState.RELEASED && recoveryPoint.isEmpty());
    }

    public Duration age(Instant now) {
        return Duration.between(claimedAt, now)
                .plus(clock.shortfallSince(claimedAt))
                .plus(clock.unnoted(now));
    }

    public boolean isOfAnother(ScopedKey asked) {
        return identity.isPresent() && !identity.get().equals(asked);
    }

    void takeOver(ClaimRequest asked, Instant now) {
        RecordHistory.currentAttempt(this, now).ifPresent(attemptLog::end);
        fence++;
        attemptLog.begin(fence, asked.origin(), now);
        owner = asked.nonce();
        state = RecordState.IN_PROGRESS;
        takeOver = asked.leaseExpiryPolicy();
        renew(asked.lease(), now);
        request = request.or(asked::request);
        keptRequest = keptRequest.or(asked::keptRequest);
        flow |= request.isPresent();
        if (identity.isEmpty() || origin.operation().isEmpty()) {
            origin = asked.origin();
        }
        if (identity.isEmpty()) {
            identity = Optional.of(asked.identity());
            fingerprint = Optional.of(asked.fingerprint());
            subject = asked.subject();
        }
    }

    void complete(RecordWrite.Complete complete, Instant now) {
        state = RecordState.COMPLETED;
        completedAt = Optional.of(now);
        outcome = complete.outcome();
        request = Optional.empty();
        keptRequest = Optional.empty();
        carried = Optional.empty();
        if (complete.retention().isPresent()) {
            expiresAt = expiry(complete.retention().get());
        }
        keepForAWhile(now);
    }

    private void keepForAWhile(Instant now) {
        Instant least = now.plus(Retention.AFTER_COMPLETION);
        expiresAt = expiresAt.map(e -> e.isBefore(least) ? least : e);
    }

    void release(RecordWrite.Release release, Instant now) {
        String reason = release.reason();
        RecordHistory.currentAttempt(this, now)
                .map(attempt -> attempt.endedAt(
                        now, reason.isEmpty() ? ClaimAttempt.RELEASED : ClaimAttempt.RELEASED + ": " + reason))
                .ifPresent(attemptLog::end);
        state = RecordState.RELEASED;
        keptRequest = Optional.empty();
        var after = now.plus(release.retryDelay());
        dueAt = after.isAfter(dueAt) ? after : dueAt;
    }

    /** Its lease is over and nobody retries it. */
    public void sweep(Instant now) {
        RecordHistory.currentAttempt(this, now).ifPresent(attemptLog::end);
        state = RecordState.RELEASED;
        keptRequest = Optional.empty();
    }

    /** Applies a person's decision, which ends the attempt that led to it, and returns its name in the audit trail. */
    public String decide(Resolution.Verdict verdict, Instant now) {
        RecordHistory.currentAttempt(this, now).ifPresent(attemptLog::end);
        String action = switch (verdict) {
            case Resolution.Done done -> {
                complete(new RecordWrite.Complete(claim(), done.outcome(), done.retention()), now);
                yield "resolve: completed";
            }
            case Resolution.RunAgain again -> {
                recoveryPoint = recoveryPoint.map(RecoveryPoint::withoutCall);
                callAnnouncedAt = Optional.empty();
                resume(now);
                yield "resolve: released";
            }
            case Resolution.Resume resume -> {
                resume(now);
                yield "resolve: resumed";
            }
        };
        fence++;
        return action;
    }

    private void resume(Instant now) {
        state = RecordState.RELEASED;
        keptRequest = Optional.empty();
        dueAt = now;
        attempts = 0;
        keepForAWhile(now);
    }

    /** What was put off while the clock was ahead would wait for as long again. */
    public void hasten(Duration setBack, Instant now) {
        var meant = dueAt.minus(setBack);
        dueAt = meant.isAfter(now) || !dueAt.isAfter(now) ? meant : now;
    }

    /** Returns true if a completer may poll it now. */
    public boolean due(String namespace, Instant now) {
        return hasStoredRequestIn(namespace) && !now.isBefore(dueAt);
    }

    /** Returns true if it is unfinished and has a stored request. */
    public boolean unfinishedIn(String namespace, Instant now) {
        return hasStoredRequestIn(namespace) && !expired(now);
    }

    private boolean hasStoredRequestIn(String namespace) {
        return request.isPresent()
                && state != RecordState.COMPLETED
                && identity.filter(i -> i.namespace().equals(namespace)).isPresent();
    }

    public UnfinishedRecord unfinished(Function<String, List<String>> steps, Instant now) {
        return new UnfinishedRecord(identity.orElseThrow(), id, state, explain(steps, now), attempts);
    }

    /** Returns the record for a completer; empty if it is in progress, needs attention, or has had all its attempts. */
    public Optional<AbandonedRecord> takenUp(AbandonedRecordSearch order, Instant now) {
        return RecordCompletion.takeUp(this, order, now);
    }

    public void uncountAttempt(int attempt) {
        if (attempts == attempt) {
            attempts--;
        }
    }

    /** Its lease is over, and nobody knows whether it took effect. */
    public void hold(Function<String, List<String>> steps, Instant now) {
        escalate(escalationReason(steps.apply(origin.operation())).ofEndedLease(), now);
    }

    EscalationReason escalationReason(List<String> steps) {
        return new EscalationReason(isFlow(), recoveryPoint, steps, attemptLog.lastEnd());
    }

    boolean isFlow() {
        return flow || recoveryPoint.isPresent();
    }

    void checkpoint(RecordWrite.Checkpoint checkpoint, Instant now) {
        recoveryPoint = Optional.of(checkpoint.recoveryPoint());
        callAnnouncedAt = checkpoint.recoveryPoint().callMayBeSent() ? Optional.of(now) : Optional.empty();
        callAnnouncedAt.ifPresent(clock::note);
        carried = checkpoint.carried();
        checkpoint.lease().ifPresent(time -> renew(time, now));
    }

    void escalate(String why, Instant now) {
        state = RecordState.ATTENTION;
        reason = why;
        attentionSince = now;
    }

    public void erase() {
        identity = Optional.empty();
        fingerprint = Optional.empty();
        subject = Optional.empty();
        outcome = Optional.empty();
        request = Optional.empty();
        keptRequest = Optional.empty();
        carried = Optional.empty();
        origin = ClaimOrigin.of(origin.operation());
        attemptLog.erase();
        reason = "";
    }

    /** No decision needs it: it goes although the record is in use. */
    public void eraseKeptRequest() {
        keptRequest = Optional.empty();
    }

    public boolean concerns(ErasureRequest.Target target) {
        return identity.isPresent()
                && switch (target) {
                    case ErasureRequest.OfScope of -> identity.get().scope().equals(of.scope());
                    case ErasureRequest.OfSubject of ->
                        identity.get().scope().equals(of.scope())
                                && subject.filter(of.subject()::equals).isPresent();
                };
    }

    public EscalatedRecord escalated() {
        return new EscalatedRecord(
                Optional.of(origin.operation()).filter(name -> !name.isEmpty()), identity.orElseThrow(), id);
    }

    public AttentionItem attentionItem(Function<String, List<String>> steps, Instant now) {
        return new AttentionItem(
                identity.orElseThrow(),
                claim(),
                reason,
                attentionSince,
                Duration.between(attentionSince, now),
                explain(steps, now));
    }

    public RecordExplanation explain(Function<String, List<String>> steps, Instant now) {
        return RecordHistory.explain(this, steps, now);
    }

    public Optional<Payload> keptRequest() {
        return keptRequest;
    }

    /** Ages are measured by the remaining life of what is not settled: a clock that was set back must not make them shorter. */
    public StoredRecord seen(Instant now) {
        var setBack = isSettled() ? Duration.ZERO : clock.shortfallSince(claimedAt);
        return new StoredRecord(
                lookup,
                id,
                fence,
                owner,
                state,
                takeOver,
                fingerprint,
                recoveryPoint,
                Duration.between(now, leaseUntil),
                expiresAt.map(e -> Duration.between(now, e).minus(setBack)),
                outcome,
                request,
                carried);
    }

    public KeyHash lookup() {
        return lookup;
    }

    public RecordId id() {
        return id;
    }

    public RecordState state() {
        return state;
    }

    /** Returns the identity; empty once erased. */
    public Optional<ScopedKey> identity() {
        return identity;
    }

    /** Returns when a completer may poll it next. */
    public Instant dueAt() {
        return dueAt;
    }

    /** Returns true if nobody may run it again once its lease has ended. */
    public boolean isHeld() {
        return takeOver == LeaseExpiryPolicy.HOLD;
    }

    private Optional<Instant> expiry(Retention retention) {
        return retention.duration().map(claimedAt::plus);
    }
}
