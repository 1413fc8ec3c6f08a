package dev.refrain.store;

import java.util.Optional;

/** Answer of a store to a {@link RecordWrite}. */
public sealed interface WriteResponse {

    /** It is as the write wanted it, now or since an earlier sending of the same write whose reply was lost. */
    record Written() implements WriteResponse {}

    /** Nothing was changed, because the claim is no longer the record's; this is what is there instead, if anything. */
    record Refused(Optional<StoredRecord> current) implements WriteResponse {}

    /** This element failed and the others did not; see {@link ClaimResponse.Failed}. */
    record Failed(StoreException failure) implements WriteResponse {}

    /**
     * What is said to a write that changed nothing, by what is there: an earlier sending of the same write did it, or it is
     * refused. The same for every store; one that changes payloads on their way asks again with what it made of them.
     *
     * @param current what is there under the write's lookup; absent if it expired
     */
    static WriteResponse forUnchanged(RecordWrite write, Optional<StoredRecord> current) {
        boolean sentBefore = current.filter(record -> record.claim().equals(write.claim()))
                .filter(record -> switch (write) {
                    case RecordWrite.Complete complete ->
                        record.state() == RecordState.COMPLETED
                                && record.outcome().equals(complete.outcome());
                    case RecordWrite.Release release -> record.state() == RecordState.RELEASED;
                    case RecordWrite.Escalate escalate -> record.state() == RecordState.ATTENTION;
                    case RecordWrite.Checkpoint checkpoint -> false;
                    case RecordWrite.Renew renew -> false;
                })
                .isPresent();
        return sentBefore ? new Written() : new Refused(current);
    }
}
