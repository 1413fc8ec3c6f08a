package dev.refrain.gateway.config;

import org.jspecify.annotations.Nullable;

/** The configuration cannot be used. The message is for whoever wrote it. */
public final class GatewayConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GatewayConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
