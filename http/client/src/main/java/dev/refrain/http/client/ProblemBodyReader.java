package dev.refrain.http.client;

import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads problem details (RFC 9457). */
final class ProblemBodyReader {

    private static final JsonMapper JSON = JsonMapper.shared();

    private ProblemBodyReader() {}

    /**
     * Returns the member {@code retryable}: whether the same request under the same key may succeed later; empty if it
     * is missing.
     */
    static Optional<Boolean> retryable(ReceivedResponse received) {
        boolean isProblem = received.headers()
                .firstValue("Content-Type")
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("application/problem+json"))
                .isPresent();
        if (!isProblem) {
            return Optional.empty();
        }
        try {
            var value = JSON.readTree(received.body()).path("retryable");
            return value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
        } catch (JacksonException notReadable) {
            return Optional.empty();
        }
    }
}
