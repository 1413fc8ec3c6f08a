package dev.refrain.store;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answer of a store to a {@link RecordWrite}. */
public sealed interface RecordWriteResponse {

    /** The write took effect, now or when it was first sent and its reply was lost. */
    record Written() implements RecordWriteResponse {}

    /** Nothing was changed, because the record has another claim; this is its current state, if it exists. */
    record Refused(Optional<StoredRecord> current) implements RecordWriteResponse {}

    /** This element failed and the others did not; see {@link ClaimResponse.Failed}. */
    record Failed(StoreException failure) implements RecordWriteResponse {}

    /**
     * Returns the answer to a write that changed nothing, judged by the current record: written if an earlier sending of the same
     * write did it, refused otherwise. The same for every store; a decorator that changes payloads calls it again with its own.
     *
     * @param current the record under the write's lookup; null if it expired
     */
    static RecordWriteResponse forUnchanged(RecordWrite write, @Nullable StoredRecord current) {
        boolean sentBefore = current != null
                && current.claim().equals(write.claim())
                && switch (write) {
                    case RecordWrite.Complete complete ->
                        current.state() == RecordState.COMPLETED
                                && current.outcome().equals(complete.outcome());
                    case RecordWrite.Release release -> current.state() == RecordState.RELEASED;
                    case RecordWrite.Escalate escalate -> current.state() == RecordState.ATTENTION;
                    case RecordWrite.Checkpoint checkpoint -> false;
                    case RecordWrite.Renew renew -> false;
                };
        return sentBefore ? new Written() : new Refused(Optional.ofNullable(current));
    }
}
