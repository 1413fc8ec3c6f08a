package dev.refrain.servers;

import org.jspecify.annotations.Nullable;

/** A server could not be started, stopped or asked. The message says what was being done and what to do about it. */
public final class TestServerException extends RuntimeException {

    TestServerException(String message) {
        super(message);
    }

    TestServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
