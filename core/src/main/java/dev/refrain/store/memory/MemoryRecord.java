package dev.refrain.store.memory;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPoll;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.UnfinishedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** One record of a {@link MemoryStore}; guarded by its lock. */
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
    private final Instant claimedAt;
    private Optional<Instant> expiresAt;
    private Optional<String> subject;
    private Optional<String> recoveryPoint = Optional.empty();
    private Optional<Payload> outcome = Optional.empty();
    private Optional<Payload> request;
    private Optional<Payload> carried = Optional.empty();
    private String reason = "";
    private Instant attentionSince = Instant.EPOCH;
    Instant dueAt;
    private int attempts;

    MemoryRecord(ClaimRequest asked, Instant now) {
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
        dueAt = leaseUntil;
    }

    ClaimRef claim() {
        return new ClaimRef(lookup, id, fence);
    }

    boolean expired(Instant now) {
        return seen(now).isExpired();
    }

    /** Unfinished work is left whole: between two phases too, where the next one needs what the last one carried. */
    boolean settled(Instant now) {
        return seen(now).isSettled();
    }

    Duration age(Instant now) {
        return Duration.between(claimedAt, now);
    }

    boolean isOfAnother(ScopedKey asked) {
        return identity.isPresent() && !identity.get().equals(asked);
    }

    void takeOver(ClaimRequest asked, Instant now) {
        fence++;
        owner = asked.nonce();
        state = RecordState.IN_PROGRESS;
        takeOver = asked.leaseExpiryPolicy();
        leaseUntil = now.plus(asked.lease());
        request = request.or(asked::request);
        if (identity.isEmpty()) {
            identity = Optional.of(asked.identity());
            fingerprint = Optional.of(asked.fingerprint());
            subject = asked.subject();
        }
    }

    void complete(RecordWrite.Complete complete, Instant now) {
        state = RecordState.COMPLETED;
        outcome = complete.outcome();
        request = Optional.empty();
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

    void release(Duration pause, Instant now) {
        state = RecordState.RELEASED;
        var after = now.plus(pause);
        dueAt = after.isAfter(dueAt) ? after : dueAt;
    }

    void runAgain(Instant now) {
        state = RecordState.RELEASED;
        recoveryPoint = recoveryPoint.map(point -> point.replace(StoredRecord.MAY_HAVE_SENT, ""));
        dueAt = now;
        attempts = 0;
        keepForAWhile(now);
    }

    /** Whether the turn of whoever finishes it without its caller has come. */
    boolean due(String namespace, Instant now) {
        return hasStoredRequestIn(namespace) && !now.isBefore(dueAt);
    }

    /** Whether it has a stored request and has not come to its end. */
    boolean unfinishedIn(String namespace, Instant now) {
        return hasStoredRequestIn(namespace) && !expired(now);
    }

    private boolean hasStoredRequestIn(String namespace) {
        return request.isPresent()
                && state != RecordState.COMPLETED
                && identity.filter(i -> i.namespace().equals(namespace)).isPresent();
    }

    UnfinishedRecord unfinished(Instant now) {
        return new UnfinishedRecord(identity.orElseThrow(), id, state, recoveryPoint, age(now), attempts);
    }

    /** Empty if nobody is to take it up: it is being worked on, waits for a decision, or was taken up too often. */
    Optional<AbandonedRecord> takenUp(AbandonedRecordPoll order, Instant now) {
        var graceOver = leaseUntil.plus(order.gracePeriod());
        boolean resumable = state == RecordState.IN_PROGRESS && takeOver == LeaseExpiryPolicy.RESUME;
        if (resumable && now.isBefore(graceOver)) {
            dueAt = graceOver;
            return Optional.empty();
        }
        if (expired(now) || (!resumable && state != RecordState.RELEASED)) {
            dueAt = now.plus(AbandonedRecordPoll.LONGEST_PAUSE);
            return Optional.empty();
        }
        if (attempts >= order.maxAttempts()) {
            escalate("It was taken up " + attempts + " times without its caller and never came to an end.", now);
            return Optional.empty();
        }
        attempts++;
        dueAt = now.plus(order.backoffAfter(attempts));
        return Optional.of(new AbandonedRecord(identity.orElseThrow(), id, fingerprint.orElseThrow(), attempts));
    }

    void checkpoint(RecordWrite.Checkpoint checkpoint, Instant now) {
        recoveryPoint = Optional.of(checkpoint.recoveryPoint());
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
        carried = Optional.empty();
        reason = "";
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

    AttentionItem attentionItem(Instant now) {
        return new AttentionItem(
                identity.orElseThrow(), claim(), reason, attentionSince, Duration.between(attentionSince, now));
    }

    StoredRecord seen(Instant now) {
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
                expiresAt.map(e -> Duration.between(now, e)),
                outcome,
                request,
                carried);
    }

    private Optional<Instant> expiry(Retention retention) {
        return retention.duration().map(claimedAt::plus);
    }
}
