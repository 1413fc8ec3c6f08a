package dev.refrain.trials.simulation.law;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.time.Instant;
import java.util.Optional;

/** Snapshot of a record, with its ends as instants of the store's clock, which can be compared later. */
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

    /** Returns whether the record is an unfinished flow, whose request is stored with it. */
    boolean isFlow() {
        return record.request().isPresent();
    }

    boolean mayHaveSent() {
        return record.recoveryPoint().filter(RecoveryPoint::callMayBeSent).isPresent();
    }

    boolean leaseOverAt(Instant now) {
        return !now.isBefore(leaseEnd);
    }

    /**
     * Returns whether both are equal apart from the remaining durations, which depend on the time of the snapshot. The life of what is not settled
     * ends nothing; ages are measured by it, and it is less by as much as the store's clock was set back.
     */
    public boolean sameAs(TimedRecordSnapshot other) {
        return record.claim().equals(other.record.claim())
                && record.owner().equals(other.record.owner())
                && record.state() == other.record.state()
                && record.takeOver() == other.record.takeOver()
                && record.fingerprint().equals(other.record.fingerprint())
                && record.recoveryPoint().equals(other.record.recoveryPoint())
                && record.outcome().equals(other.record.outcome())
                && leaseEnd.equals(other.leaseEnd)
                && (!record.isSettled() || expiry.equals(other.expiry));
    }

    @Override
    public String toString() {
        return record.state() + " " + TraceText.brief(record.id()) + "/" + record.fence() + " " + record.takeOver()
                + " lease<" + TraceText.clock(leaseEnd) + " life<"
                + expiry.map(TraceText::clock).orElse("ever");
    }
}
