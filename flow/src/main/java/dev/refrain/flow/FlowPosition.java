package dev.refrain.flow;

import dev.refrain.api.Payload;
import dev.refrain.store.StoredRecord;
import java.util.Optional;

/**
 * Where a flow stands, for people and for what they look with.
 *
 * @param point the one that is to be passed next
 * @param callMayBeSent whether the call that belongs to it may have been sent
 * @param carriedValue what the last phase left for it, as the codec wrote it
 */
public record FlowPosition(String point, boolean callMayBeSent, Optional<Payload> carriedValue) {

    /** Empty if it passed no point yet, or is settled. */
    public static Optional<FlowPosition> of(StoredRecord record) {
        return record.recoveryPoint()
                .filter(point -> record.outcome().isEmpty())
                .map(point -> RecoveryPoint.decode(point, record.carried()))
                .map(place -> new FlowPosition(place.point(), place.withCallAnnounced(), place.carried()));
    }
}
