package dev.refrain.outbox;

import dev.refrain.api.RefrainException;
import java.time.Duration;

/** The other side has the message and will certainly do nothing about it: now, or ever. */
public final class DeliveryRefusedException extends RefrainException {

    private static final long serialVersionUID = 1L;

    private final boolean permanent;
    private final Duration retryAfter;

    private DeliveryRefusedException(String message, boolean forGood, Duration after) {
        super(message);
        this.permanent = forGood;
        this.retryAfter = after;
    }

    /** To be sent again after the topic's own pause. */
    public static DeliveryRefusedException temporary(String message) {
        return new DeliveryRefusedException(message, false, Duration.ZERO);
    }

    /** @param after not to be sent again before that */
    public static DeliveryRefusedException temporary(String message, Duration after) {
        return new DeliveryRefusedException(message, false, after);
    }

    /** Goes to the dead letters at once. */
    public static DeliveryRefusedException permanent(String message) {
        return new DeliveryRefusedException(message, true, Duration.ZERO);
    }

    public boolean isPermanent() {
        return permanent;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
