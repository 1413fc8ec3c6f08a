package dev.refrain.http.edge;

import dev.refrain.api.Payload;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request as an edge sees it.
 *
 * @param path as sent, not decoded
 * @param query as sent, without the question mark; empty if there is none
 * @param headerLookup the values of a header, one for each line that was sent, by its name in any case
 * @param body the whole body
 * @param scope who asks: from the authenticated caller, never from what a client can forge
 * @param subject the person the request is about, so that its record can be erased with them
 */
public record EdgeRequest(
        String method,
        String path,
        String query,
        String contentType,
        Function<String, List<String>> headerLookup,
        Payload body,
        String scope,
        Optional<String> subject) {

    public List<String> headers(String name) {
        return headerLookup.apply(name);
    }

    /** Whether one of the header's values holds this word, in a list or alone. */
    boolean headerSays(String name, String word) {
        for (String line : headers(name)) {
            for (String part : line.split("[,;]", -1)) {
                if (part.strip().equalsIgnoreCase(word)) {
                    return true;
                }
            }
        }
        return false;
    }

    RequestContent toFingerprint() {
        return RequestContent.http(method, path, query, contentType, RepeatableBody.of(body.bytes()));
    }

    /** Safe for logs. */
    @Override
    public String toString() {
        return method + " " + path;
    }
}
