package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import java.time.Duration;

/** Makes the settlement of a message from what is known of its delivery. */
record SettlementFactory(TopicSettings topic, ExecutionEnvironment environment) {

    private static final int LONGEST_REASON = 500;

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
        return taken.attempts() > topic.maxAttempts();
    }

    MessageSettlement lostByRelays(LeasedMessage taken) {
        return exhausted(
                taken,
                openBefore(taken),
                "Relays leased it " + (taken.attempts() - 1) + " times and never settled it; it may crash them.");
    }

    private static MessageSettlement exhausted(LeasedMessage taken, int open, String reason) {
        return new MessageSettlement.Dead(taken.row(), Cause.EXHAUSTED, open, reason);
    }

    /** Returns the number of earlier attempts that may have arrived. */
    private static int openBefore(LeasedMessage taken) {
        return taken.unresolvedAttempts() - 1;
    }

    private boolean lastAttempt(LeasedMessage taken) {
        return taken.attempts() >= topic.maxAttempts();
    }

    private Duration pause(LeasedMessage taken) {
        return topic.backoff().after(taken.attempts(), environment);
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
