package dev.refrain.http.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The root of what this client throws of its own. */
public abstract class RefrainClientException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String key;

    RefrainClientException(String key, String message, @Nullable Throwable cause) {
        super("Key " + PendingRequest.redacted(key) + ": " + message, cause);
        this.key = key;
    }

    /** The whole key; messages have its beginning only. */
    public String key() {
        return key;
    }
}
