package dev.refrain.store;

import dev.refrain.api.RefrainException;
import org.jspecify.annotations.Nullable;

/**
 * The store could not do as asked. The one thing that matters to a caller is {@link #effect()}.
 *
 * <p>Recognised by SQLSTATE or vendor code, never by text.
 */
public class StoreException extends RefrainException {
    private static final long serialVersionUID = 1L;

    /** Whether the failed call can have changed anything. */
    public enum Effect {
        /** Certainly nothing happened. */
        NONE,
        /** It may have happened: the reply was lost. Asking again finds out. */
        UNKNOWN
    }

    private final Effect effect;
    private final boolean isTransient;

    protected StoreException(String message, Effect effect, boolean passing, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
        this.isTransient = passing;
    }

    /** The store is out of reach, shutting down, overloaded or lost the connection: asking again may succeed. */
    public static StoreException unavailable(String message, Effect effect, @Nullable Throwable cause) {
        return new StoreException(message, effect, true, cause);
    }

    /** The store will not do this however often it is asked: read-only, out of space, no permission, no table. */
    public static StoreException permanent(String message, Effect effect, @Nullable Throwable cause) {
        return new StoreException(message, effect, false, cause);
    }

    public Effect effect() {
        return effect;
    }

    /** Whether the same question may be answered if it is asked again soon. */
    public boolean isTransient() {
        return isTransient;
    }
}
