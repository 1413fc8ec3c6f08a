package dev.refrain.http.edge;

import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import java.util.ArrayList;
import java.util.List;

/** An answer that an edge has to send. Lengths are the edge's to compute. */
public record EdgeResponse(int status, List<OutcomeHeader> headers, Payload body) {

    public EdgeResponse {
        headers = List.copyOf(headers);
    }

    public static EdgeResponse of(Outcome.Answer answer) {
        return new EdgeResponse(answer.status(), answer.headers(), answer.body());
    }

    public EdgeResponse withHeader(OutcomeHeader header) {
        var all = new ArrayList<>(headers);
        all.add(header);
        return new EdgeResponse(status, all, body);
    }
}
