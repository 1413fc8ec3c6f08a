package dev.refrain.http.edge;

import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer that an edge has to send. Lengths are the edge's to compute.
 *
 * @param origin what this answer is: a replay, a refusal and why, …
 */
public record EdgeResponse(int status, List<OutcomeHeader> headers, Payload body, ResponseOrigin origin) {

    public EdgeResponse {
        headers = List.copyOf(headers);
    }

    public static EdgeResponse of(Outcome.Answer answer, ResponseOrigin origin) {
        return new EdgeResponse(answer.status(), answer.headers(), answer.body(), origin);
    }

    public EdgeResponse withHeader(OutcomeHeader header) {
        var all = new ArrayList<>(headers);
        all.add(header);
        return withHeaders(all);
    }

    /** Instead of those that it has. */
    public EdgeResponse withHeaders(List<OutcomeHeader> others) {
        return new EdgeResponse(status, others, body, origin);
    }

    public EdgeResponse withOrigin(ResponseOrigin other) {
        return new EdgeResponse(status, headers, body, other);
    }

    /** The same as an outcome that can be stored. */
    public Outcome.Answer toAnswer() {
        return new Outcome.Answer(status, headers, body);
    }
}
