package dev.refrain.api;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything Refrain throws.
 *
 * <p>A message says what was being done, with which key (redacted), what was found, and what to do. Subtypes carry the
 * same facts as typed fields, so nothing needs to be read out of a text.
 */
public class RefrainException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefrainException(String message) {
        super(message);
    }

    public RefrainException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
