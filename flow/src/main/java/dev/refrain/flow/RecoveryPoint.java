package dev.refrain.flow;

import dev.refrain.api.Payload;
import dev.refrain.phase.PhaseTransition;
import dev.refrain.store.StoredRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a flow stands, as it is stored.
 *
 * @param withCallAnnounced whether the call of another system that belongs to the point was about to be sent
 * @param lifeLeftAtSend what was left of the record's life then, by which its age is known; empty for ever
 * @param carried what the last phase left for this one
 */
record RecoveryPoint(
        String point, boolean withCallAnnounced, Optional<Duration> lifeLeftAtSend, Optional<Payload> carried) {

    private static final byte FORMAT = 1;
    private static final long FOR_EVER = -1;

    static RecoveryPoint initial(String point) {
        return new RecoveryPoint(point, false, Optional.empty(), Optional.empty());
    }

    static RecoveryPoint at(String point, Optional<Payload> carried) {
        return new RecoveryPoint(point, false, Optional.empty(), carried);
    }

    static RecoveryPoint decode(String recoveryPoint, Optional<Payload> payload) {
        boolean announced = recoveryPoint.endsWith(StoredRecord.MAY_HAVE_SENT);
        String point = announced ? recoveryPoint.substring(0, recoveryPoint.length() - 1) : recoveryPoint;
        if (payload.isEmpty()) {
            return new RecoveryPoint(point, announced, Optional.empty(), Optional.empty());
        }
        var bytes = ByteBuffer.wrap(payload.get().bytes());
        byte format = bytes.get();
        if (format != FORMAT) {
            throw new IllegalStateException("What was carried to " + point + " has the format " + format
                    + " of a newer version of Refrain; this one reads up to " + FORMAT + ".");
        }
        long life = bytes.getLong();
        boolean any = bytes.get() != 0;
        var rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return new RecoveryPoint(
                point,
                announced,
                life == FOR_EVER ? Optional.empty() : Optional.of(Duration.ofMillis(life)),
                any ? Optional.of(Payload.of(rest)) : Optional.empty());
    }

    /** From here on the call may have been sent. */
    RecoveryPoint withCallAnnounced(Optional<Duration> lifeLeft) {
        return new RecoveryPoint(point, true, lifeLeft, carried);
    }

    /** Nothing was sent after all. */
    RecoveryPoint withCallWithdrawn() {
        return new RecoveryPoint(point, false, Optional.empty(), carried);
    }

    PhaseTransition.Checkpoint encode() {
        var bytes = ByteBuffer.allocate(
                        1 + Long.BYTES + 1 + carried.map(Payload::size).orElse(0))
                .put(FORMAT)
                .putLong(lifeLeftAtSend.map(Duration::toMillis).orElse(FOR_EVER))
                .put((byte) (carried.isPresent() ? 1 : 0));
        carried.ifPresent(there -> bytes.put(there.bytes()));
        return new PhaseTransition.Checkpoint(
                withCallAnnounced ? point + StoredRecord.MAY_HAVE_SENT : point, Optional.of(Payload.of(bytes.array())));
    }
}
