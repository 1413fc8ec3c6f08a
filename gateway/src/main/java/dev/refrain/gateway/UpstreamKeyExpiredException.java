package dev.refrain.gateway;

import java.io.IOException;

/** Refusal to send a request again because the upstream may have forgotten its key. */
final class UpstreamKeyExpiredException extends IOException {
    private static final long serialVersionUID = 1L;

    UpstreamKeyExpiredException() {
        super("The request may have been sent before, and the upstream may have forgotten its key since then.");
    }
}
