package dev.refrain.store;

import dev.refrain.api.RefrainException;
import org.jspecify.annotations.Nullable;

/**
 * Signals that a call to the store failed; {@link #effect()} says whether it can have changed anything.
 *
 * <p>Recognised by SQLSTATE or vendor code, never by text.
 */
public class StoreException extends RefrainException {
    private static final long serialVersionUID = 1L;

    /** Possible effect of the failed call. */
    public enum Effect {
        /** Certainly nothing happened. */
        NONE,
        /** The call may have taken effect: the reply was lost. Repeating it finds out. */
        UNKNOWN
    }

    private final Effect effect;
    private final boolean isTransient;
    private final boolean isConnectionLost;

    protected StoreException(String message, Effect effect, boolean passing, @Nullable Throwable cause) {
        this(message, effect, passing, false, cause);
    }

    private StoreException(
            String message, Effect effect, boolean passing, boolean connectionLost, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
        this.isTransient = passing;
        this.isConnectionLost = connectionLost;
    }

    /**
     * Creates the failure of a store that is unreachable, shutting down, overloaded or lost the connection: a retry may succeed.
     */
    public static StoreException unavailable(String message, Effect effect, @Nullable Throwable cause) {
        return new StoreException(message, effect, true, cause);
    }

    /** Creates the failure of a store whose connection was lost, before the call was sent or before its reply came: a retry may succeed. */
    public static StoreException connectionLost(String message, Effect effect, @Nullable Throwable cause) {
        return new StoreException(message, effect, true, true, cause);
    }

    /** Creates the failure of a store that will fail again on every retry: read-only, out of space, no permission, no table. */
    public static StoreException permanent(String message, Effect effect, @Nullable Throwable cause) {
        return new StoreException(message, effect, false, cause);
    }

    public Effect effect() {
        return effect;
    }

    /** Returns true if a retry may succeed soon. */
    public boolean isTransient() {
        return isTransient;
    }

    /** Returns true if the connection was lost, and this is known. */
    public boolean isConnectionLost() {
        return isConnectionLost;
    }
}
