package dev.refrain.http.policy;

import dev.refrain.fingerprint.Fingerprinter;

/**
 * What of a request is read and compared.
 *
 * @param maxBytes a larger body is refused before anything is claimed
 * @param fingerprint which fields of the body count
 */
public record RequestPolicy(int maxBytes, Fingerprinter fingerprint) {

    public static final RequestPolicy DEFAULT = new RequestPolicy(1 << 20, Fingerprinter.unkeyed());

    public RequestPolicy {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("request.max-bytes must not be negative, but is " + maxBytes + ".");
        }
    }

    public RequestPolicy withMaxBytes(int bytes) {
        return new RequestPolicy(bytes, fingerprint);
    }

    public RequestPolicy with(Fingerprinter other) {
        return new RequestPolicy(maxBytes, other);
    }
}
