package dev.refrain.http;

import dev.refrain.RequestFingerprinter;

/**
 * What of a request is read and compared.
 *
 * @param maxBytes a larger body is refused before anything is claimed
 * @param fingerprint which fields of the body count
 */
public record RequestBodyPolicy(int maxBytes, RequestFingerprinter fingerprint) {

    public static final RequestBodyPolicy DEFAULT = new RequestBodyPolicy(1 << 20, RequestFingerprinter.unkeyed());

    public RequestBodyPolicy {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("request.max-bytes must not be negative, but is " + maxBytes + ".");
        }
    }

    public RequestBodyPolicy withMaxBytes(int bytes) {
        return new RequestBodyPolicy(bytes, fingerprint);
    }

    public RequestBodyPolicy with(RequestFingerprinter other) {
        return new RequestBodyPolicy(maxBytes, other);
    }
}
