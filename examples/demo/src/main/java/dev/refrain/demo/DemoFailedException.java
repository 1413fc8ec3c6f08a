package dev.refrain.demo;

import org.jspecify.annotations.Nullable;

/** The demo could not be shown. The message is the sentence that its visitor reads. */
public final class DemoFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    DemoFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
