package dev.refrain.gateway;

import java.io.IOException;

/** Failure of a call whose response does not tell whether the request took effect. */
final class AmbiguousResponseException extends IOException {
    private static final long serialVersionUID = 1L;

    AmbiguousResponseException(int status) {
        super("The upstream answered " + status + ", which does not tell whether the request took effect.");
    }
}
