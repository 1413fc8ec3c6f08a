package dev.refrain.http.edge;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * Response for an edge to send. The edge computes length headers itself. Immutable.
 *
 * @param origin the reason for this response: a replay, a rejection and its problem type, …
 */
public record EdgeResponse(int status, List<AnswerHeader> headers, Payload body, ResponseOrigin origin) {

    public EdgeResponse {
        headers = List.copyOf(headers);
    }

    public static EdgeResponse of(Outcome.Answer answer, ResponseOrigin origin) {
        return new EdgeResponse(answer.status(), answer.headers(), answer.body(), origin);
    }

    public EdgeResponse withHeader(AnswerHeader header) {
        var all = new ArrayList<>(headers);
        all.add(header);
        return withHeaders(all);
    }

    /** Returns a copy with these headers in place of its own. */
    public EdgeResponse withHeaders(List<AnswerHeader> others) {
        return new EdgeResponse(status, others, body, origin);
    }

    public EdgeResponse withOrigin(ResponseOrigin other) {
        return new EdgeResponse(status, headers, body, other);
    }

    /** Converts this response to an outcome that can be stored. */
    public Outcome.Answer toAnswer() {
        return new Outcome.Answer(status, headers, body);
    }
}
