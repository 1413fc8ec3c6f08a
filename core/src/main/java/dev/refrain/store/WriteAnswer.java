package dev.refrain.store;

import java.util.Optional;

/** What a store says to a {@link Write}. */
public sealed interface WriteAnswer {

    /** It is as the write wanted it, now or since an earlier sending of the same write whose reply was lost. */
    record Written() implements WriteAnswer {}

    /** Nothing was changed, because the claim is no longer the record's; this is what is there instead, if anything. */
    record Refused(Optional<StoredRecord> current) implements WriteAnswer {}

    /**
     * What is said to a write that changed nothing, by what is there: an earlier sending of the same write did it, or it is
     * refused. The same for every store; one that changes payloads on their way asks again with what it made of them.
     *
     * @param current what is there under the write's lookup; absent if it expired
     */
    static WriteAnswer forUnchanged(Write write, Optional<StoredRecord> current) {
        boolean sentBefore = current.filter(record -> record.claim().equals(write.claim()))
                .filter(record -> switch (write) {
                    case Write.Complete complete ->
                        record.state() == State.COMPLETED && record.outcome().equals(complete.outcome());
                    case Write.Release release -> record.state() == State.RELEASED;
                    case Write.Escalate escalate -> record.state() == State.ATTENTION;
                    case Write.Checkpoint checkpoint -> false;
                    case Write.Renew renew -> false;
                })
                .isPresent();
        return sentBefore ? new Written() : new Refused(current);
    }
}
