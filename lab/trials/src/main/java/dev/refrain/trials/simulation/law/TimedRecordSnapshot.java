package dev.refrain.trials.simulation.law;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.time.Instant;
import java.util.Optional;

/** A record as it was at one moment, with its ends as moments of the store's clock, which can be compared later. */
public record TimedRecordSnapshot(StoredRecord record, Instant leaseEnd, Optional<Instant> expiry) {

    public static TimedRecordSnapshot at(Instant now, StoredRecord record) {
        return new TimedRecordSnapshot(
                record,
                now.plus(record.remainingLease()),
                record.remainingLife().map(now::plus));
    }

    boolean expiredAt(Instant now) {
        return record.isSettled() && expiry.isPresent() && !now.isBefore(expiry.get());
    }

    boolean isHeldForAttention() {
        return record.state() == RecordState.ATTENTION && record.takeOver() == LeaseExpiryPolicy.HOLD;
    }

    /** Unfinished work whose request is stored with it. */
    boolean isFlow() {
        return record.request().isPresent();
    }

    boolean mayHaveSent() {
        return record.recoveryPoint()
                .filter(point -> point.endsWith(StoredRecord.MAY_HAVE_SENT))
                .isPresent();
    }

    boolean leaseOverAt(Instant now) {
        return !now.isBefore(leaseEnd);
    }

    /** Nothing that counts is different: the durations in the record are only what was left when it was looked at. */
    public boolean sameAs(TimedRecordSnapshot other) {
        return record.claim().equals(other.record.claim())
                && record.owner().equals(other.record.owner())
                && record.state() == other.record.state()
                && record.takeOver() == other.record.takeOver()
                && record.fingerprint().equals(other.record.fingerprint())
                && record.recoveryPoint().equals(other.record.recoveryPoint())
                && record.outcome().equals(other.record.outcome())
                && leaseEnd.equals(other.leaseEnd)
                && expiry.equals(other.expiry);
    }

    @Override
    public String toString() {
        return record.state() + " " + TraceText.brief(record.id()) + "/" + record.fence() + " " + record.takeOver()
                + " lease<" + TraceText.clock(leaseEnd) + " life<"
                + expiry.map(TraceText::clock).orElse("ever");
    }
}
