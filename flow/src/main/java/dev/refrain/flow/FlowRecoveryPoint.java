package dev.refrain.flow;

import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.phase.PhaseTransition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * Recovery point of a flow in its stored form.
 *
 * @param withCallAnnounced whether the foreign call of the point was about to be sent
 * @param lifeLeftAtSend the remaining life of the record at that time, from which the age of the call is computed; empty if the record never
 *     expires
 * @param carried the value that the last phase carried to the point
 */
record FlowRecoveryPoint(
        String point, boolean withCallAnnounced, Optional<Duration> lifeLeftAtSend, Optional<Payload> carried) {

    private static final byte FORMAT = 1;
    private static final long FOR_EVER = -1;

    static FlowRecoveryPoint initial(String point) {
        return new FlowRecoveryPoint(point, false, Optional.empty(), Optional.empty());
    }

    static FlowRecoveryPoint at(String point, Optional<Payload> carried) {
        return new FlowRecoveryPoint(point, false, Optional.empty(), carried);
    }

    static FlowRecoveryPoint decode(RecoveryPoint reached, Optional<Payload> payload) {
        boolean announced = reached.callMayBeSent();
        String point = reached.name();
        if (payload.isEmpty()) {
            return new FlowRecoveryPoint(point, announced, Optional.empty(), Optional.empty());
        }
        var bytes = ByteBuffer.wrap(payload.get().bytes());
        byte format = bytes.get();
        if (format != FORMAT) {
            throw new IllegalStateException("Cannot read the value carried to point " + point + " in format " + format
                    + ": a newer version of Refrain wrote it, and this one reads up to " + FORMAT
                    + ". Upgrade this instance.");
        }
        long life = bytes.getLong();
        boolean any = bytes.get() != 0;
        var rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return new FlowRecoveryPoint(
                point,
                announced,
                life == FOR_EVER ? Optional.empty() : Optional.of(Duration.ofMillis(life)),
                any ? Optional.of(Payload.of(rest)) : Optional.empty());
    }

    /** Returns the point from which on the call may have been sent. */
    FlowRecoveryPoint withCallAnnounced(Optional<Duration> lifeLeft) {
        return new FlowRecoveryPoint(point, true, lifeLeft, carried);
    }

    /** Returns the point after a call that was certainly not sent. */
    FlowRecoveryPoint withCallWithdrawn() {
        return new FlowRecoveryPoint(point, false, Optional.empty(), carried);
    }

    PhaseTransition.Checkpoint encode() {
        var bytes = ByteBuffer.allocate(
                        1 + Long.BYTES + 1 + carried.map(Payload::size).orElse(0))
                .put(FORMAT)
                .putLong(lifeLeftAtSend.map(Duration::toMillis).orElse(FOR_EVER))
                .put((byte) (carried.isPresent() ? 1 : 0));
        carried.ifPresent(there -> bytes.put(there.bytes()));
        return new PhaseTransition.Checkpoint(
                withCallAnnounced ? RecoveryPoint.withCallAnnounced(point) : RecoveryPoint.reached(point),
                Optional.of(Payload.of(bytes.array())));
    }
}
