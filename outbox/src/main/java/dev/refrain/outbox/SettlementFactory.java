package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import java.time.Duration;

/**
 * Makes the settlement of a message from what is known of its delivery.
 *
 * @param lostLease what a lease means that ended without a settlement
 */
record SettlementFactory(TopicSettings topic, ExecutionEnvironment environment, LostLease lostLease) {

    private static final int LONGEST_REASON = 500;

    /** Lost leases after which a message is handled alone, so that further ones are its own. */
    private static final int LOSSES_IN_COMPANY = 3;

    /** Meaning of a lease that ended without a settlement. */
    enum LostLease {
        /** The message was sent, as far as anybody knows: it counts as an attempt. */
        MAY_HAVE_SENT,
        /**
         * Nothing happened, because handling and settling are one commit; the message may only have waited behind another. It does not count
         * as an attempt, but a message that is lost again and again on its own is given up.
         */
        HANDLED_NOTHING
    }

    MessageSettlement delivered(LeasedMessage taken) {
        return new MessageSettlement.Delivered(taken.row(), topic.deliveredRetention());
    }

    /** Settles a message that may have arrived. */
    MessageSettlement failed(LeasedMessage taken, Throwable failure) {
        return failed(taken, Duration.ZERO, failure);
    }

    /** Settles a message whose delivery was interrupted. A lookup has to wait for the timeout, because it may still arrive. */
    MessageSettlement interrupted(LeasedMessage taken, Throwable failure) {
        return failed(taken, topic.timeout(), failure);
    }

    private MessageSettlement failed(LeasedMessage taken, Duration least, Throwable failure) {
        return lastAttempt(taken)
                ? exhausted(taken, taken.unresolvedAttempts(), reason(failure))
                : new MessageSettlement.Failed(taken.row(), longer(pause(taken), least), reason(failure));
    }

    /** Settles a message that certainly had no effect. */
    MessageSettlement refused(LeasedMessage taken, Throwable failure) {
        if (failure instanceof DeliveryRefusedException refusal && refusal.isPermanent()) {
            return new MessageSettlement.Dead(taken.row(), Cause.REFUSED, openBefore(taken), reason(failure));
        }
        var asked = failure instanceof DeliveryRefusedException refusal ? refusal.retryAfter() : Duration.ZERO;
        return lastAttempt(taken)
                ? exhausted(taken, openBefore(taken), reason(failure))
                : new MessageSettlement.Refused(taken.row(), longer(pause(taken), asked), reason(failure));
    }

    MessageSettlement notSent(LeasedMessage taken, Duration pause, Throwable failure) {
        return new MessageSettlement.NotSent(taken.row(), pause, reason(failure));
    }

    /** Settles a message that was not sent because the relay is closing or its lease is short. */
    MessageSettlement notAttempted(LeasedMessage taken) {
        return new MessageSettlement.NotSent(taken.row(), Duration.ZERO, "The relay released it before it was sent.");
    }

    MessageSettlement unknown(LeasedMessage taken, String why) {
        return new MessageSettlement.Dead(
                taken.row(),
                Cause.UNKNOWN,
                taken.unresolvedAttempts(),
                "It may have arrived, and " + why + ". Ask the other side before you resend it.");
    }

    /** Returns whether relays leased the message too often without settling it; it may crash them. */
    boolean exceedsAttempts(LeasedMessage taken) {
        return switch (lostLease) {
            case MAY_HAVE_SENT -> taken.attempts() > topic.maxAttempts();
            case HANDLED_NOTHING -> lost(taken) >= topic.maxAttempts() + LOSSES_IN_COMPANY;
        };
    }

    /** Returns whether relays lost the message so often that it has to be the only one they can lose. */
    boolean mustBeAlone(LeasedMessage taken) {
        return lostLease == LostLease.HANDLED_NOTHING && lost(taken) >= LOSSES_IN_COMPANY;
    }

    MessageSettlement lostByRelays(LeasedMessage taken) {
        int times = lostLease == LostLease.HANDLED_NOTHING ? lost(taken) : taken.attempts() - 1;
        return exhausted(
                taken,
                openBefore(taken),
                "Relays leased it " + times + " times and never settled it; it may crash them.");
    }

    /** Returns how many earlier leases ended without a settlement. A dead letter that was resent starts anew. */
    private static int lost(LeasedMessage taken) {
        return Math.min(taken.attempts(), taken.unresolvedAttempts()) - 1;
    }

    /** Returns the number of this attempt, among those that count. */
    private int attempt(LeasedMessage taken) {
        return lostLease == LostLease.HANDLED_NOTHING ? taken.attempts() - lost(taken) : taken.attempts();
    }

    private static MessageSettlement exhausted(LeasedMessage taken, int open, String reason) {
        return new MessageSettlement.Dead(taken.row(), Cause.EXHAUSTED, open, reason);
    }

    /** Returns the number of earlier attempts that may have arrived. */
    private int openBefore(LeasedMessage taken) {
        return lostLease == LostLease.HANDLED_NOTHING ? 0 : taken.unresolvedAttempts() - 1;
    }

    private boolean lastAttempt(LeasedMessage taken) {
        return attempt(taken) >= topic.maxAttempts();
    }

    private Duration pause(LeasedMessage taken) {
        return topic.backoff().after(attempt(taken), environment);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    static String reason(Throwable failure) {
        String text = failure.getMessage() == null
                ? failure.getClass().getName()
                : failure.getClass().getSimpleName() + ": " + failure.getMessage();
        return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON);
    }
}
