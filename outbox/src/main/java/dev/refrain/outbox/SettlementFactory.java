package dev.refrain.outbox;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import java.time.Duration;

/** What becomes of a message, by what is known of its delivery. */
record SettlementFactory(TopicSettings topic, ExecutionEnvironment environment) {

    private static final int LONGEST_REASON = 500;

    MessageSettlement delivered(LeasedMessage taken) {
        return new MessageSettlement.Delivered(taken.row(), topic.deliveredRetention());
    }

    /** Its end is not known. */
    MessageSettlement failed(LeasedMessage taken, Throwable failure) {
        return failed(taken, Duration.ZERO, failure);
    }

    /** It was left before its time was over: who asks for it sooner is told that it is not there, and then it comes. */
    MessageSettlement interrupted(LeasedMessage taken, Throwable failure) {
        return failed(taken, topic.timeout(), failure);
    }

    private MessageSettlement failed(LeasedMessage taken, Duration least, Throwable failure) {
        return lastAttempt(taken)
                ? exhausted(taken, taken.unresolvedAttempts(), reason(failure))
                : new MessageSettlement.Failed(taken.row(), longer(pause(taken), least), reason(failure));
    }

    /** Certainly nothing was done. */
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

    /** Given back as it was. */
    MessageSettlement notAttempted(LeasedMessage taken) {
        return new MessageSettlement.NotSent(taken.row(), Duration.ZERO, "It was given back before it was sent.");
    }

    MessageSettlement unknown(LeasedMessage taken, String why) {
        return new MessageSettlement.Dead(
                taken.row(),
                Cause.UNKNOWN,
                taken.unresolvedAttempts(),
                "Whether it arrived is not known, and " + why + ".");
    }

    /** Whoever had it so often never said what became of it: perhaps it brings them down. */
    boolean exceedsAttempts(LeasedMessage taken) {
        return taken.attempts() > topic.maxAttempts();
    }

    MessageSettlement lostByRelays(LeasedMessage taken) {
        return exhausted(
                taken,
                openBefore(taken),
                "It was taken " + (taken.attempts() - 1) + " times by relays that did not say what became of it.");
    }

    private static MessageSettlement exhausted(LeasedMessage taken, int open, String reason) {
        return new MessageSettlement.Dead(taken.row(), Cause.EXHAUSTED, open, reason);
    }

    /** Nothing arrived this time. */
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
