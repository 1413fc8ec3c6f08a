package dev.refrain.store.outbox;

import java.time.Duration;

/** Result of an attempt to deliver a leased message. */
public sealed interface MessageSettlement {

    OutboxRowRef row();

    /**
     * The message was delivered.
     *
     * @param keep how long it is kept although it is delivered; zero deletes it at once
     */
    record Delivered(OutboxRowRef row, Duration keep) implements MessageSettlement {}

    /** The attempt failed, but the message may have been delivered. */
    record Failed(OutboxRowRef row, Duration pause, String reason) implements MessageSettlement {}

    /** The target received the message and certainly did nothing about it. */
    record Refused(OutboxRowRef row, Duration pause, String reason) implements MessageSettlement {}

    /** Nothing was sent; this attempt does not count. */
    record NotSent(OutboxRowRef row, Duration pause, String reason) implements MessageSettlement {}

    /**
     * The message becomes a dead letter and is not sent again unless a person decides so.
     *
     * @param open number of attempts with an unknown result; stored with it, and counted if it is resent
     */
    record Dead(OutboxRowRef row, Cause cause, int open, String reason) implements MessageSettlement {}

    /** Reasons for a dead letter. */
    enum Cause {
        /** The target rejects it permanently. */
        REFUSED,
        /**
         * It failed the maximum number of times. It may have been delivered; resending it is safe, since the relay checks then.
         */
        EXHAUSTED,
        /**
         * It may have been delivered, and can be neither looked up nor safely resent. Resending it asserts that it was never
         * delivered.
         */
        UNKNOWN
    }
}
