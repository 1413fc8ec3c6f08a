package dev.refrain.store.memory;

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
import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.AttemptHistory;
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
import dev.refrain.store.RecordView;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.UnfinishedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Record of a {@link MemoryStore}; guarded by its lock. */
final class MemoryRecord {

    final KeyHash lookup;
    final RecordId id;
    long fence = 1;
    UUID owner;
    RecordState state = RecordState.IN_PROGRESS;
    LeaseExpiryPolicy takeOver;
    Instant leaseUntil;
    Optional<Fingerprint> fingerprint;
    Optional<ScopedKey> identity;
    private final MemoryClockNotes clockNotes;
    private final Instant claimedAt;
    private Optional<Instant> expiresAt;
    private Optional<String> subject;
    private ClaimOrigin origin;
    private final MemoryAttempts attemptLog = new MemoryAttempts();
    private boolean flow;
    private Optional<RecoveryPoint> recoveryPoint = Optional.empty();
    private Optional<Instant> callAnnouncedAt = Optional.empty();
    private Optional<Instant> completedAt = Optional.empty();
    private Optional<Payload> outcome = Optional.empty();
    private Optional<Payload> request;
    private Optional<Payload> keptRequest;
    private Optional<Payload> carried = Optional.empty();
    private String reason = "";
    private Instant attentionSince = Instant.EPOCH;
    Instant dueAt;
    private int attempts;

    MemoryRecord(ClaimRequest asked, MemoryClockNotes clockNotes, Instant now) {
        this.clockNotes = clockNotes;
        lookup = asked.lookup();
        id = new RecordId(asked.nonce());
        owner = asked.nonce();
        takeOver = asked.leaseExpiryPolicy();
        leaseUntil = now.plus(asked.lease());
        fingerprint = Optional.of(asked.fingerprint());
        identity = Optional.of(asked.identity());
        claimedAt = now;
        expiresAt = expiry(asked.retention());
        subject = asked.subject();
        request = asked.request();
        keptRequest = asked.keptRequest();
        flow = request.isPresent();
        origin = asked.origin();
        dueAt = leaseUntil;
    }

    ClaimRef claim() {
        return new ClaimRef(lookup, id, fence);
    }

    boolean expired(Instant now) {
        return seen(now).isExpired();
    }

    Duration expiredFor(Instant now) {
        return expiresAt.map(e -> Duration.between(e, now)).orElse(Duration.ZERO);
    }

    /** Returns true if the record is settled. A record between two phases is not: the next one needs the carried state. */
    boolean settled(Instant now) {
        return seen(now).isSettled();
    }

    Duration age(Instant now) {
        return Duration.between(claimedAt, now)
                .plus(clockNotes.setBackSince(claimedAt))
                .plus(clockNotes.unnoted(now));
    }

    boolean isOfAnother(ScopedKey asked) {
        return identity.isPresent() && !identity.get().equals(asked);
    }

    void takeOver(ClaimRequest asked, Instant now) {
        currentAttempt(now).ifPresent(attemptLog::end);
        fence++;
        attemptLog.begin(fence, asked.origin(), now);
        owner = asked.nonce();
        state = RecordState.IN_PROGRESS;
        takeOver = asked.leaseExpiryPolicy();
        leaseUntil = now.plus(asked.lease());
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
        currentAttempt(now)
                .map(attempt -> attempt.endedAt(
                        now, reason.isEmpty() ? ClaimAttempt.RELEASED : ClaimAttempt.RELEASED + ": " + reason))
                .ifPresent(attemptLog::end);
        state = RecordState.RELEASED;
        keptRequest = Optional.empty();
        var after = now.plus(release.retryDelay());
        dueAt = after.isAfter(dueAt) ? after : dueAt;
    }

    /** Its lease is over and nobody retries it. */
    void sweep(Instant now) {
        currentAttempt(now).ifPresent(attemptLog::end);
        state = RecordState.RELEASED;
        keptRequest = Optional.empty();
    }

    /** Applies a person's decision, which ends the attempt that led to it, and returns its name in the audit trail. */
    String decide(Resolution.Verdict verdict, Instant now) {
        currentAttempt(now).ifPresent(attemptLog::end);
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
    void hasten(Duration setBack, Instant now) {
        var meant = dueAt.minus(setBack);
        dueAt = meant.isAfter(now) || !dueAt.isAfter(now) ? meant : now;
    }

    /** Returns true if a completer may poll it now. */
    boolean due(String namespace, Instant now) {
        return hasStoredRequestIn(namespace) && !now.isBefore(dueAt);
    }

    /** Returns true if it is unfinished and has a stored request. */
    boolean unfinishedIn(String namespace, Instant now) {
        return hasStoredRequestIn(namespace) && !expired(now);
    }

    private boolean hasStoredRequestIn(String namespace) {
        return request.isPresent()
                && state != RecordState.COMPLETED
                && identity.filter(i -> i.namespace().equals(namespace)).isPresent();
    }

    UnfinishedRecord unfinished(OperationSteps steps, Instant now) {
        return new UnfinishedRecord(identity.orElseThrow(), id, state, explain(steps, now), attempts);
    }

    /** Returns the record for a completer; empty if it is in progress, needs attention, or has had all its attempts. */
    Optional<AbandonedRecord> takenUp(AbandonedRecordSearch order, Instant now) {
        var graceOver = leaseUntil.plus(order.gracePeriod());
        boolean resumable = state == RecordState.IN_PROGRESS && takeOver == LeaseExpiryPolicy.RESUME;
        if (resumable && now.isBefore(graceOver)) {
            dueAt = graceOver;
            return Optional.empty();
        }
        if (expired(now) || (!resumable && state != RecordState.RELEASED)) {
            dueAt = now.plus(AbandonedRecordSearch.LONGEST_PAUSE);
            return Optional.empty();
        }
        if (attempts >= order.maxAttempts()) {
            escalate(escalationReason(List.of()).ofLastAttempt(attempts), now);
            return Optional.empty();
        }
        attempts++;
        dueAt = now.plus(order.backoffAfter(attempts));
        return Optional.of(new AbandonedRecord(identity.orElseThrow(), id, fingerprint.orElseThrow(), attempts));
    }

    void uncountAttempt(int attempt) {
        if (attempts == attempt) {
            attempts--;
        }
    }

    /** Its lease is over, and nobody knows whether it took effect. */
    void hold(OperationSteps steps, Instant now) {
        escalate(escalationReason(steps.of(origin.operation())).ofEndedLease(), now);
    }

    private EscalationReason escalationReason(List<String> steps) {
        return new EscalationReason(isFlow(), recoveryPoint, steps, attemptLog.lastEnd());
    }

    private boolean isFlow() {
        return flow || recoveryPoint.isPresent();
    }

    void checkpoint(RecordWrite.Checkpoint checkpoint, Instant now) {
        recoveryPoint = Optional.of(checkpoint.recoveryPoint());
        callAnnouncedAt = checkpoint.recoveryPoint().callMayBeSent() ? Optional.of(now) : Optional.empty();
        callAnnouncedAt.ifPresent(clockNotes::raise);
        carried = checkpoint.carried();
        checkpoint.lease().ifPresent(lease -> leaseUntil = now.plus(lease));
    }

    void escalate(String why, Instant now) {
        state = RecordState.ATTENTION;
        reason = why;
        attentionSince = now;
    }

    void erase() {
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
    void eraseKeptRequest() {
        keptRequest = Optional.empty();
    }

    boolean concerns(ErasureRequest.Target target) {
        return identity.isPresent()
                && switch (target) {
                    case ErasureRequest.OfScope of -> identity.get().scope().equals(of.scope());
                    case ErasureRequest.OfSubject of ->
                        identity.get().scope().equals(of.scope())
                                && subject.filter(of.subject()::equals).isPresent();
                };
    }

    EscalatedRecord escalated() {
        return new EscalatedRecord(
                Optional.of(origin.operation()).filter(name -> !name.isEmpty()), identity.orElseThrow(), id);
    }

    AttentionItem attentionItem(OperationSteps steps, Instant now) {
        return new AttentionItem(
                identity.orElseThrow(),
                claim(),
                reason,
                attentionSince,
                Duration.between(attentionSince, now),
                explain(steps, now));
    }

    RecordExplanation explain(OperationSteps steps, Instant now) {
        return new RecordExplanation(
                Optional.of(origin.operation()).filter(name -> !name.isEmpty()),
                origin.caller(),
                origin.traceId(),
                age(now),
                recoveryPoint,
                calls(steps),
                attemptHistory(now).with(attemptLog.written()));
    }

    Optional<Payload> keptRequest() {
        return keptRequest;
    }

    /** A flow announces each call; what a leased operation sends is known only by the steps that it has asked keys for. */
    private List<AnnouncedCall> calls(OperationSteps steps) {
        return isFlow()
                ? AnnouncedCall.ofFlow(id, recoveryPoint.orElse(null), callAnnouncedAt.orElse(null))
                : AnnouncedCall.ofSteps(id, steps.of(origin.operation()));
    }

    private Optional<ClaimAttempt> currentAttempt(Instant now) {
        return attemptHistory(now).with(attemptLog.written()).stream()
                .filter(attempt -> attempt.fence() == fence)
                .findFirst();
    }

    private AttemptHistory attemptHistory(Instant now) {
        return new AttemptHistory(
                fence,
                state,
                claimedAt,
                origin.traceId(),
                completedAt,
                Optional.of(leaseUntil),
                state == RecordState.ATTENTION
                        ? Optional.of(new RecordView.AttentionReason(reason, attentionSince))
                        : Optional.empty(),
                now);
    }

    /** Ages are measured by the remaining life of what is not settled: a clock that was set back must not make them shorter. */
    StoredRecord seen(Instant now) {
        boolean settled = state == RecordState.COMPLETED || (state == RecordState.RELEASED && recoveryPoint.isEmpty());
        var setBack = settled ? Duration.ZERO : clockNotes.setBackSince(claimedAt);
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

    private Optional<Instant> expiry(Retention retention) {
        return retention.duration().map(claimedAt::plus);
    }
}
