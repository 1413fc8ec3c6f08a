package dev.refrain.demo;

import org.jspecify.annotations.Nullable;

/** Thrown when the demo cannot run. The message is shown to the user. */
public final class DemoFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    DemoFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
