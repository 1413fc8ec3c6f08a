package dev.refrain.trials.simulation.law;

import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
import java.time.Instant;
import java.util.Optional;

/** A record as it was at one moment, with its ends as moments of the store's clock, which can be compared later. */
public record Seen(StoredRecord record, Instant leaseEnd, Optional<Instant> expiry) {

    public static Seen at(Instant now, StoredRecord record) {
        return new Seen(record, now.plus(record.remainingLease()), record.remainingLife().map(now::plus));
    }

    boolean expiredAt(Instant now) {
        return record.isSettled() && expiry.isPresent() && !now.isBefore(expiry.get());
    }

    boolean isHeldForAttention() {
        return record.state() == State.ATTENTION && record.takeOver() == TakeOver.HOLD;
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
    public boolean sameAs(Seen other) {
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
        return record.state() + " " + Text.brief(record.id()) + "/" + record.fence() + " " + record.takeOver()
                + " lease<" + Text.clock(leaseEnd) + " life<"
                + expiry.map(Text::clock).orElse("ever");
    }
}
