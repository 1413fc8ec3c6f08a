package dev.refrain.http.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The root of what this client throws of its own. */
public abstract class IntentException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String key;

    IntentException(String key, String message, @Nullable Throwable cause) {
        super("Key " + Intent.redacted(key) + ": " + message, cause);
        this.key = key;
    }

    /** The whole key; messages have its beginning only. */
    public String key() {
        return key;
    }
}
