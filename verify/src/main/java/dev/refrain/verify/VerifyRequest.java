package dev.refrain.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * One request to the route.
 *
 * @param keys the values of the key's header, one for each line of it; empty for none
 * @param query more of it than the route has
 * @param caller the headers that say who asks
 * @param more headers of this request alone
 */
record VerifyRequest(List<String> keys, String body, String query, List<VerifyHeader> caller, List<VerifyHeader> more) {

    VerifyRequest withKeys(String... values) {
        return new VerifyRequest(List.of(values), body, query, caller, more);
    }

    VerifyRequest withBody(String other) {
        return new VerifyRequest(keys, other, query, caller, more);
    }

    VerifyRequest withQuery(String other) {
        return new VerifyRequest(keys, body, other, caller, more);
    }

    VerifyRequest with(VerifyHeader header) {
        var all = new ArrayList<>(more);
        all.add(header);
        return new VerifyRequest(keys, body, query, caller, all);
    }

    /** Who asks is said by these instead; what they do not name stays. */
    VerifyRequest withCaller(List<VerifyHeader> other) {
        var all = new ArrayList<>(caller.stream()
                .filter(mine -> other.stream().noneMatch(theirs -> theirs.is(mine.name())))
                .toList());
        all.addAll(other);
        return new VerifyRequest(keys, body, query, all, more);
    }

    /** The headers of the request, but for those of the key. */
    List<VerifyHeader> headers() {
        var all = new ArrayList<>(caller);
        all.addAll(more);
        if (!body.isEmpty() && all.stream().noneMatch(header -> header.is("Content-Type"))) {
            all.add(new VerifyHeader(
                    "Content-Type",
                    JsonBodyEditor.isJson(body) ? JsonBodyEditor.TYPE : "application/x-www-form-urlencoded"));
        }
        if (all.stream().noneMatch(header -> header.is("Accept"))) {
            all.add(new VerifyHeader("Accept", "application/json, application/problem+json, */*;q=0.5"));
        }
        return all;
    }
}
