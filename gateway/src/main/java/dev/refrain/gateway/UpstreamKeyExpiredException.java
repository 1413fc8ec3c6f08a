package dev.refrain.gateway;

import java.io.IOException;

/** It may have been sent before, and to send it again would be no repetition: the service behind may no longer know its key. */
final class UpstreamKeyExpiredException extends IOException {
    private static final long serialVersionUID = 1L;

    UpstreamKeyExpiredException() {
        super("It may have been sent before, and the service behind may have forgotten its key since then.");
    }
}
