package dev.refrain.http;

import java.util.Optional;

/**
 * Hook that removes from a request what must not be kept. It sees the whole body, after the redacted fields were replaced and before it is
 * cut. Called when a key is claimed, on the request's thread: keep it short. Must be thread-safe.
 * {@snippet :
 * KeptRequestRedactor redactor = request -> request.target().startsWith("/accounts/")
 *         ? Optional.of(request.withoutBody("holds account data"))
 *         : Optional.of(request);
 * }
 */
@FunctionalInterface
public interface KeptRequestRedactor {

    /** Keeps the request as it is. */
    KeptRequestRedactor NONE = Optional::of;

    /** Returns the request to keep; empty to keep nothing. If it throws, nothing is kept, and the request runs as usual. */
    Optional<KeptRequest> redact(KeptRequest request);

    /** Returns a redactor that applies this one first, and then another to what is left. */
    default KeptRequestRedactor andThen(KeptRequestRedactor next) {
        return request -> redact(request).flatMap(next::redact);
    }
}
