package dev.refrain.spring.actuator;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.http.edge.OperatorResponseRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * Reads the parameters of the actuator endpoint as they were sent. A rejection names the parameter and what it may be; Spring's own
 * answer to one that is missing or cannot be converted says neither.
 */
final class EndpointParameters {

    static final String DONE = "done";
    static final String RUN_AGAIN = "run-again";
    static final String FAILED = "failed";

    static final String EXAMPLE =
            " Example: {\"lookup\": \"…\", \"id\": \"…\", \"fence\": 1, \"verdict\": \"run-again\", \"why\": \"the bank has no payment\"}";

    private static final String AS_LISTED = ": take it from the entry of GET …/refrain.";
    private static final String OK = "200";

    private EndpointParameters() {}

    static UUID uuid(String name, @Nullable String sent) {
        String text = required(name, sent, AS_LISTED);
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw rejected(name + " is no UUID" + AS_LISTED);
        }
    }

    static long number(String name, @Nullable String sent) {
        String text = required(name, sent, AS_LISTED);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw rejected(name + " is no number" + AS_LISTED);
        }
    }

    static String reason(@Nullable String why) {
        return required("why", why, ": the audit trail records the reason.");
    }

    static String verdict(@Nullable String sent) {
        String verdicts = ": done (it took effect), run-again (it did not) or failed (it must not run again).";
        String text = required("verdict", sent, verdicts);
        return switch (text) {
            case DONE, RUN_AGAIN, FAILED -> text;
            default -> throw rejected("verdict is '" + text + "', but may be one of these" + verdicts);
        };
    }

    /** Returns the answer that retries get once a record is resolved as done. */
    static Outcome.Answer answer(@Nullable String status, @Nullable String body, @Nullable String contentType) {
        try {
            return OperatorResponseRules.requireSendable(new Outcome.Answer(
                    Integer.parseInt(Optional.ofNullable(status).orElse(OK)),
                    Optional.ofNullable(contentType)
                            .map(type -> new AnswerHeader("Content-Type", type.strip()))
                            .map(List::of)
                            .orElse(List.of()),
                    Payload.of(Optional.ofNullable(body).orElse("").getBytes(StandardCharsets.UTF_8))));
        } catch (NumberFormatException e) {
            throw rejected("status is no number, such as 201.");
        } catch (IllegalArgumentException e) {
            throw rejected("status, body or contentType cannot be sent to a client: " + e.getMessage());
        }
    }

    private static String required(String name, @Nullable String sent, String hint) {
        if (sent == null || sent.isBlank()) {
            throw rejected(name + " is missing" + hint);
        }
        return sent;
    }

    private static InvalidEndpointRequestException rejected(String sentence) {
        return new InvalidEndpointRequestException(sentence, sentence);
    }
}
