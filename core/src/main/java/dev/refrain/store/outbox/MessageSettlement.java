package dev.refrain.store.outbox;

import java.time.Duration;

/** What became of a message that was taken. */
public sealed interface MessageSettlement {

    OutboxRowRef row();

    /** @param keep for how long it is kept although it is done; nothing to delete it at once */
    record Delivered(OutboxRowRef row, Duration keep) implements MessageSettlement {}

    /** It failed, and may have arrived nevertheless. */
    record Failed(OutboxRowRef row, Duration pause, String reason) implements MessageSettlement {}

    /** It arrived, and certainly nothing was done about it. */
    record Refused(OutboxRowRef row, Duration pause, String reason) implements MessageSettlement {}

    /** Nothing of it was sent: this attempt does not count. */
    record NotSent(OutboxRowRef row, Duration pause, String reason) implements MessageSettlement {}

    /**
     * It is not sent any more unless somebody decides so.
     *
     * @param open how many attempts have an end that is not known; that is kept with it, and counts if it is sent again
     */
    record Dead(OutboxRowRef row, Cause cause, int open, String reason) implements MessageSettlement {}

    /** Why a message is dead. */
    enum Cause {
        /** The other side does not want it, and will not. */
        REFUSED,
        /** It failed as often as it may. It may have arrived; whoever sends it again need not know, because that is found out then. */
        EXHAUSTED,
        /** It may have arrived, and can neither be asked about nor sent again. Whoever sends it again says that it did not. */
        UNKNOWN
    }
}
