package dev.refrain.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signals that it is unknown whether a call to another system took effect, and that it cannot be retried. Thrown by the work: its
 * record then needs attention.
 */
public final class EffectUnknownException extends RefrainException {

    private static final long serialVersionUID = 1L;

    private static final int DEEPEST_CAUSE = 20;

    /** Finds the exception in what work threw, also where a framework wrapped it. */
    public static Optional<EffectUnknownException> findIn(Throwable thrown) {
        var cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof EffectUnknownException unknown) {
                return Optional.of(unknown);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /**
     * Creates the exception.
     *
     * @param why the reason shown to the person who resolves the record
     */
    public EffectUnknownException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
