package dev.refrain.flow.outbox;

import dev.refrain.Environment;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Settlement.Cause;
import dev.refrain.store.outbox.Taken;
import java.time.Duration;

/** What becomes of a message, by what is known of its delivery. */
record Endings(Topic topic, Environment environment) {

    private static final int LONGEST_REASON = 500;

    Settlement delivered(Taken taken) {
        return new Settlement.Delivered(taken.row(), topic.deliveredRetention());
    }

    /** Its end is not known. */
    Settlement failed(Taken taken, Throwable failure) {
        return failed(taken, Duration.ZERO, failure);
    }

    /** It was left before its time was over: who asks for it sooner is told that it is not there, and then it comes. */
    Settlement interrupted(Taken taken, Throwable failure) {
        return failed(taken, topic.timeout(), failure);
    }

    private Settlement failed(Taken taken, Duration least, Throwable failure) {
        return lastAttempt(taken)
                ? exhausted(taken, taken.unresolvedAttempts(), reason(failure))
                : new Settlement.Failed(taken.row(), longer(pause(taken), least), reason(failure));
    }

    /** Certainly nothing was done. */
    Settlement refused(Taken taken, Throwable failure) {
        if (failure instanceof DeliveryRefusedException refusal && refusal.isPermanent()) {
            return new Settlement.Dead(taken.row(), Cause.REFUSED, openBefore(taken), reason(failure));
        }
        var asked = failure instanceof DeliveryRefusedException refusal ? refusal.retryAfter() : Duration.ZERO;
        return lastAttempt(taken)
                ? exhausted(taken, openBefore(taken), reason(failure))
                : new Settlement.Refused(taken.row(), longer(pause(taken), asked), reason(failure));
    }

    Settlement notSent(Taken taken, Duration pause, Throwable failure) {
        return new Settlement.NotSent(taken.row(), pause, reason(failure));
    }

    /** Given back as it was. */
    Settlement notAttempted(Taken taken) {
        return new Settlement.NotSent(taken.row(), Duration.ZERO, "It was given back before it was sent.");
    }

    Settlement unknown(Taken taken, String why) {
        return new Settlement.Dead(
                taken.row(), Cause.UNKNOWN, taken.unresolvedAttempts(), "Whether it arrived is not known, and " + why + ".");
    }

    /** Whoever had it so often never said what became of it: perhaps it brings them down. */
    boolean exceedsAttempts(Taken taken) {
        return taken.attempts() > topic.maxAttempts();
    }

    Settlement lostByRelays(Taken taken) {
        return exhausted(
                taken,
                openBefore(taken),
                "It was taken " + (taken.attempts() - 1) + " times by relays that did not say what became of it.");
    }

    private static Settlement exhausted(Taken taken, int open, String reason) {
        return new Settlement.Dead(taken.row(), Cause.EXHAUSTED, open, reason);
    }

    /** Nothing arrived this time. */
    private static int openBefore(Taken taken) {
        return taken.unresolvedAttempts() - 1;
    }

    private boolean lastAttempt(Taken taken) {
        return taken.attempts() >= topic.maxAttempts();
    }

    private Duration pause(Taken taken) {
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
