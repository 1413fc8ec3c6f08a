package dev.refrain.outbox;

import dev.refrain.api.RefrainException;
import java.time.Duration;

/** Says that a message arrived and certainly had no effect. Throw it from a target or a handler. */
public final class DeliveryRefusedException extends RefrainException {

    private static final long serialVersionUID = 1L;

    private final boolean permanent;
    private final Duration retryAfter;

    private DeliveryRefusedException(String message, boolean forGood, Duration after) {
        super(message);
        this.permanent = forGood;
        this.retryAfter = after;
    }

    /** Returns a refusal after which the message is sent again, with the backoff of its topic. */
    public static DeliveryRefusedException temporary(String message) {
        return new DeliveryRefusedException(message, false, Duration.ZERO);
    }

    /** Returns a refusal after which the message is sent again, after this time at the earliest. */
    public static DeliveryRefusedException temporary(String message, Duration after) {
        return new DeliveryRefusedException(message, false, after);
    }

    /** Returns a refusal that makes the message a dead letter at once. */
    public static DeliveryRefusedException permanent(String message) {
        return new DeliveryRefusedException(message, true, Duration.ZERO);
    }

    /** Returns whether the message becomes a dead letter at once. */
    public boolean isPermanent() {
        return permanent;
    }

    /** Returns the shortest time before the message is sent again. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
