package dev.refrain.http.client;

import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What a refusal says of itself (RFC 9457). */
final class ProblemBodyReader {

    private static final JsonMapper JSON = JsonMapper.shared();

    private ProblemBodyReader() {}

    /** Whether the same request under the same key may fare better; empty if the answer does not say. */
    static Optional<Boolean> retryable(ReceivedResponse received) {
        boolean isProblem = received.headers()
                .firstValue("Content-Type")
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("application/problem+json"))
                .isPresent();
        if (!isProblem) {
            return Optional.empty();
        }
        try {
            var said = JSON.readTree(received.body()).path("retryable");
            return said.isBoolean() ? Optional.of(said.booleanValue()) : Optional.empty();
        } catch (JacksonException notReadable) {
            return Optional.empty();
        }
    }
}
