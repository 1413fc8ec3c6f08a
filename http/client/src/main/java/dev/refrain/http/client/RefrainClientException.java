package dev.refrain.http.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Base class of the exceptions that this client throws itself. */
public abstract class RefrainClientException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String key;

    RefrainClientException(String key, String message, @Nullable Throwable cause) {
        super("Key " + PendingRequest.redacted(key) + ": " + message, cause);
        this.key = key;
    }

    /** Returns why an attempt failed, in brackets: the kind of failure, and what it says. */
    static String because(Throwable failure) {
        String message = failure.getMessage();
        return " (" + failure.getClass().getSimpleName() + (message == null ? "" : ": " + message) + ")";
    }

    /** Returns the whole key; messages contain only its beginning. */
    public String key() {
        return key;
    }
}
