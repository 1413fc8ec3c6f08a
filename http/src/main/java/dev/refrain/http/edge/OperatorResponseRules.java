package dev.refrain.http.edge;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome.Answer;
import dev.refrain.http.KeySource;
import java.util.List;
import java.util.Set;

/** Checks a response that a person enters for a key, because each retry gets it as it is. */
public final class OperatorResponseRules {

    private static final int MAX_HEAD_BYTES = 8 << 10;

    /** Statuses of responses without a body: 204 (No Content) and 304 (Not Modified). */
    private static final Set<Integer> WITHOUT_BODY = Set.of(204, 304);

    /** The colon and the space of a header, and the end of its line. */
    private static final int SEPARATOR_BYTES = 4;

    private OperatorResponseRules() {}

    /**
     * Returns the response if it can be sent to a client.
     *
     * @throws IllegalArgumentException if it cannot, with what to change
     */
    public static Answer requireSendable(Answer response) {
        response.requireFinal();
        response.headers().forEach(OperatorResponseRules::requireSendable);
        if (headBytes(response.headers()) > MAX_HEAD_BYTES) {
            throw new IllegalArgumentException("The headers are larger than 8 KB in all: leave some out.");
        }
        if (WITHOUT_BODY.contains(response.status()) && response.body().size() > 0) {
            throw new IllegalArgumentException(
                    "A response with status " + response.status() + " has no body: leave the body out.");
        }
        return response;
    }

    private static void requireSendable(AnswerHeader header) {
        KeySource.header(header.name());
        if (StoredHeaderFilter.isNeverStored(header.name())) {
            throw new IllegalArgumentException("The header " + header.name()
                    + " cannot be given: it belongs to one connection, one client or one moment, and is not replayed.");
        }
        if (!header.value().chars().allMatch(c -> c <= 0xff && !Character.isISOControl(c))) {
            throw new IllegalArgumentException("The value of the header " + header.name()
                    + " has control characters, or others than those of Latin-1 (ISO 8859-1).");
        }
    }

    private static int headBytes(List<AnswerHeader> headers) {
        return headers.stream()
                .mapToInt(header -> header.name().length() + header.value().length() + SEPARATOR_BYTES)
                .sum();
    }
}
