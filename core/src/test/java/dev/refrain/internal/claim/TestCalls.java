package dev.refrain.internal.claim;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RequestContent;
import dev.refrain.api.ScopedKey;

/** Calls as an operation makes them. */
final class TestCalls {

    private TestCalls() {}

    static FingerprintedCall fingerprinted(
            ScopedKey identity, RequestContent request, RequestFingerprinter fingerprinter) {
        return FingerprintedCall.of(identity, LazyFingerprint.of(() -> request, fingerprinter::of, fingerprinter::of));
    }
}
