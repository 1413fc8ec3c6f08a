package dev.refrain.flow;

import dev.refrain.api.Payload;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/**
 * Position of an unfinished flow, read from its record; for consoles and reports.
 *
 * @param point the recovery point, whose phase runs next
 * @param callMayBeSent whether the foreign call of the point may have been sent
 * @param carriedValue the value that the last phase carried to the point, as the codec wrote it
 */
public record FlowPosition(String point, boolean callMayBeSent, Optional<Payload> carriedValue) {

    /** Returns the position of a flow, or nothing if it has passed no point yet or has ended. */
    public static Optional<FlowPosition> of(StoredRecord record) {
        return record.recoveryPoint()
                .filter(point -> record.outcome().isEmpty())
                .map(point -> FlowRecoveryPoint.decode(point, record.carried()))
                .map(place -> new FlowPosition(place.point(), place.withCallAnnounced(), place.carried()));
    }
}
