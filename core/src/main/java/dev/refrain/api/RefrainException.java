package dev.refrain.api;

import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions that Refrain throws.
 *
 * <p>A message says what failed, with which key (redacted), why, and what to do. Subtypes carry the same facts as typed fields,
 * so that nobody needs to parse a text.
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
