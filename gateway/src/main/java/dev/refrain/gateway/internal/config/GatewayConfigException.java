package dev.refrain.gateway.internal.config;

import org.jspecify.annotations.Nullable;

/** Invalid configuration. The message tells its author which setting is wrong and what to do. */
public final class GatewayConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GatewayConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
