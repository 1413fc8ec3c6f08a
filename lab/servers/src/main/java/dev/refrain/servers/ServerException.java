package dev.refrain.servers;

import org.jspecify.annotations.Nullable;

/** A server could not be started, stopped or asked. The message says what was being done and what to do about it. */
public final class ServerException extends RuntimeException {

    ServerException(String message) {
        super(message);
    }

    ServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
