package dev.refrain.http;

import dev.refrain.outcome.Header;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import java.util.ArrayList;
import java.util.List;

/** An answer that an edge has to send. Lengths are the edge's to compute. */
public record Reply(int status, List<Header> headers, Payload body) {

    public Reply {
        headers = List.copyOf(headers);
    }

    public static Reply of(Outcome.Answer answer) {
        return new Reply(answer.status(), answer.headers(), answer.body());
    }

    public Reply withHeader(Header header) {
        var all = new ArrayList<>(headers);
        all.add(header);
        return new Reply(status, all, body);
    }
}
