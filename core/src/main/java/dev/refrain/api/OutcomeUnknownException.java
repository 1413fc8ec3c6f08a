package dev.refrain.api;

import org.jspecify.annotations.Nullable;

/**
 * Signals that the work ran, but its outcome could neither be stored nor read back. It may have taken effect; a retry under the
 * same key is safe and returns the outcome.
 */
public final class OutcomeUnknownException extends RefrainException {
    private static final long serialVersionUID = 1L;

    private final RecordId recordId;

    public OutcomeUnknownException(String operation, RecordId recordId, String found, @Nullable Throwable cause) {
        super(
                "Saving the outcome of " + operation + " (record " + recordId + "): " + found
                        + " Whether it took effect is not known yet; retry under the same key.",
                cause);
        this.recordId = recordId;
    }

    public RecordId recordId() {
        return recordId;
    }
}
