package dev.refrain.gateway;

import java.io.IOException;

/** The service behind answered, and what it did cannot be told from that. */
final class AmbiguousResponseException extends IOException {
    private static final long serialVersionUID = 1L;

    AmbiguousResponseException(int status) {
        super("The service behind answered " + status + ", which does not say whether it took effect.");
    }
}
