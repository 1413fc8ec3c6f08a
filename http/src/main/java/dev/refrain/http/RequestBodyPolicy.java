package dev.refrain.http;

import dev.refrain.RequestFingerprinter;

/**
 * Limits and comparison rules for request bodies. Immutable.
 *
 * @param maxRequestBytes the largest accepted body; a larger one is rejected before the key is claimed
 * @param fingerprint computes the fingerprint that a retry must match
 * @param kept what is kept of a request for people, until its record is settled
 */
public record RequestBodyPolicy(int maxRequestBytes, RequestFingerprinter fingerprint, KeptRequestPolicy kept) {

    public static final RequestBodyPolicy DEFAULT =
            new RequestBodyPolicy(1 << 20, RequestFingerprinter.unkeyed(), KeptRequestPolicy.DEFAULT);

    public RequestBodyPolicy {
        if (maxRequestBytes < 0) {
            throw new IllegalArgumentException(
                    "max-request-bytes must not be negative, but is " + maxRequestBytes + ".");
        }
    }

    public RequestBodyPolicy withMaxRequestBytes(int bytes) {
        return new RequestBodyPolicy(bytes, fingerprint, kept);
    }

    public RequestBodyPolicy with(RequestFingerprinter other) {
        return new RequestBodyPolicy(maxRequestBytes, other, kept);
    }

    public RequestBodyPolicy with(KeptRequestPolicy other) {
        return new RequestBodyPolicy(maxRequestBytes, fingerprint, other);
    }
}
