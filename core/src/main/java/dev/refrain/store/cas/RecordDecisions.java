package dev.refrain.store.cas;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoredRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decisions about one record, as {@link dev.refrain.store.Store} asks for them. Each changes the record that it is given; a store whose
 * database compares and sets gives a copy, stores it on the condition that nobody wrote in between, and decides again if somebody did.
 */
public final class RecordDecisions {

    private RecordDecisions() {}

    /**
     * Decision with its answer.
     *
     * @param changed the record to store before the answer is given; empty if nothing changes
     */
    public record Decision<A>(A answer, Optional<MutableRecord> changed) {

        private static <A> Decision<A> unchanged(A answer) {
            return new Decision<>(answer, Optional.empty());
        }

        private static <A> Decision<A> changed(A answer, MutableRecord record) {
            return new Decision<>(answer, Optional.of(record));
        }
    }

    /**
     * Decides about a claim.
     *
     * @param record what is stored under the request's lookup, expired or not; null if there is nothing
     * @param steps returns the steps that are known of an operation
     */
    public static Decision<ClaimResponse> claim(
            @Nullable MutableRecord record,
            ClaimRequest request,
            RecordClock clock,
            Function<String, List<String>> steps,
            Instant now) {
        if (record == null || record.expired(now)) {
            var made = new MutableRecord(request, clock, now);
            return Decision.changed(new ClaimResponse.Acquired(made.seen(now)), made);
        }
        if (record.isOfAnother(request.identity())) {
            return Decision.unchanged(new ClaimResponse.Failed(collision(request.identity())));
        }
        boolean alike = record.fingerprint
                .map(f -> f.equals(request.fingerprint()))
                .orElse(record.state == RecordState.RELEASED);
        boolean leaseOver = record.state == RecordState.IN_PROGRESS && !now.isBefore(record.leaseUntil);
        boolean mine = record.owner.equals(request.nonce());
        if (mine && record.state == RecordState.IN_PROGRESS && !leaseOver) {
            return Decision.unchanged(new ClaimResponse.Acquired(record.seen(now)));
        }
        if (mine || !alike) {
            return Decision.unchanged(new ClaimResponse.Found(record.seen(now)));
        }
        if (leaseOver && record.isHeld()) {
            record.hold(steps, now);
            return Decision.changed(new ClaimResponse.Found(record.seen(now)), record);
        }
        if (leaseOver || record.state == RecordState.RELEASED) {
            clock.look(now);
            record.takeOver(request, now);
            return Decision.changed(new ClaimResponse.Acquired(record.seen(now)), record);
        }
        return Decision.unchanged(new ClaimResponse.Found(record.seen(now)));
    }

    /** Returns the failure of a request whose lookup belongs to another identity. */
    public static RowRejectedException collision(ScopedKey identity) {
        return RowRejectedException.badData(
                "Another identity has the lookup of " + identity + "; use another key.", null);
    }

    /** Decides about a write; {@code record} as in {@link #claim}. */
    public static Decision<RecordWriteResponse> write(@Nullable MutableRecord record, RecordWrite write, Instant now) {
        if (record == null || record.expired(now) || !record.claim().equals(write.claim())) {
            return Decision.unchanged(new RecordWriteResponse.Refused(present(record, now)));
        }
        boolean open = record.state == RecordState.IN_PROGRESS
                || (record.state == RecordState.ATTENTION && write instanceof RecordWrite.Complete);
        if (!open) {
            return Decision.unchanged(
                    RecordWriteResponse.forUnchanged(write, present(record, now).orElse(null)));
        }
        switch (write) {
            case RecordWrite.Complete complete -> record.complete(complete, now);
            case RecordWrite.Release release -> record.release(release, now);
            case RecordWrite.Escalate escalate -> record.escalate(escalate.reason(), now);
            case RecordWrite.Checkpoint checkpoint -> record.checkpoint(checkpoint, now);
            case RecordWrite.Renew renew -> record.renew(renew.lease(), now);
        }
        return Decision.changed(new RecordWriteResponse.Written(), record);
    }

    /**
     * Decides about a resolution. Of a changed record {@link MutableRecord#decide} has the name in the audit trail.
     *
     * @return true if the record waits for exactly this decision
     */
    public static boolean awaits(@Nullable MutableRecord record, Resolution resolution) {
        return record != null
                && record.state == RecordState.ATTENTION
                && record.claim().equals(resolution.claim());
    }

    /** Returns the record as it is seen; empty if it is absent or expired. */
    public static Optional<StoredRecord> present(@Nullable MutableRecord record, Instant now) {
        return Optional.ofNullable(record).filter(r -> !r.expired(now)).map(r -> r.seen(now));
    }
}
