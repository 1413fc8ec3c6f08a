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
record Call(List<String> keys, String body, String query, List<Header> caller, List<Header> more) {

    Call withKeys(String... values) {
        return new Call(List.of(values), body, query, caller, more);
    }

    Call withBody(String other) {
        return new Call(keys, other, query, caller, more);
    }

    Call withQuery(String other) {
        return new Call(keys, body, other, caller, more);
    }

    Call with(Header header) {
        var all = new ArrayList<>(more);
        all.add(header);
        return new Call(keys, body, query, caller, all);
    }

    /** Who asks is said by these instead; what they do not name stays. */
    Call withCaller(List<Header> other) {
        var all = new ArrayList<>(caller.stream()
                .filter(mine -> other.stream().noneMatch(theirs -> theirs.is(mine.name())))
                .toList());
        all.addAll(other);
        return new Call(keys, body, query, all, more);
    }

    /** The headers of the request, but for those of the key. */
    List<Header> headers() {
        var all = new ArrayList<>(caller);
        all.addAll(more);
        if (!body.isEmpty() && all.stream().noneMatch(header -> header.is("Content-Type"))) {
            all.add(new Header("Content-Type", Json.isJson(body) ? Json.TYPE : "application/x-www-form-urlencoded"));
        }
        if (all.stream().noneMatch(header -> header.is("Accept"))) {
            all.add(new Header("Accept", "application/json, application/problem+json, */*;q=0.5"));
        }
        return all;
    }
}
