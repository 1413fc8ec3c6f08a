package dev.refrain.servers;

import org.jspecify.annotations.Nullable;

/** Failure to start, stop or query a server. The message says what failed and what to do. */
public final class TestServerException extends RuntimeException {

    TestServerException(String message) {
        super(message);
    }

    TestServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
