package dev.refrain.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * One request to the route.
 *
 * @param keys the values of the key header, one per header line; empty for none
 * @param query the query to add to that of the route
 * @param caller the headers that identify the caller
 * @param more further headers of this request
 */
record VerifyRequest(
        List<String> keys, String body, String query, List<OutgoingHeader> caller, List<OutgoingHeader> more) {

    VerifyRequest withKeys(String... values) {
        return new VerifyRequest(List.of(values), body, query, caller, more);
    }

    VerifyRequest withBody(String other) {
        return new VerifyRequest(keys, other, query, caller, more);
    }

    VerifyRequest withQuery(String other) {
        return new VerifyRequest(keys, body, other, caller, more);
    }

    VerifyRequest with(OutgoingHeader header) {
        var all = new ArrayList<>(more);
        all.add(header);
        return new VerifyRequest(keys, body, query, caller, all);
    }

    /** Replaces the caller's headers of the same names and keeps the others. */
    VerifyRequest withCaller(List<OutgoingHeader> other) {
        var all = new ArrayList<>(caller.stream()
                .filter(own -> other.stream().noneMatch(replacement -> replacement.is(own.name())))
                .toList());
        all.addAll(other);
        return new VerifyRequest(keys, body, query, all, more);
    }

    /** Headers of the request without the key header. */
    List<OutgoingHeader> headers() {
        var all = new ArrayList<>(caller);
        all.addAll(more);
        if (!body.isEmpty() && all.stream().noneMatch(header -> header.is("Content-Type"))) {
            all.add(new OutgoingHeader(
                    "Content-Type",
                    JsonBodyEditor.isJson(body) ? JsonBodyEditor.TYPE : "application/x-www-form-urlencoded"));
        }
        if (all.stream().noneMatch(header -> header.is("Accept"))) {
            all.add(new OutgoingHeader("Accept", "application/json, application/problem+json, */*;q=0.5"));
        }
        return all;
    }
}
