package dev.refrain.http.edge;

import dev.refrain.api.Payload;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import java.util.List;
import java.util.function.Function;

/**
 * The head of a request as an edge sees it, before anything of the body is read.
 *
 * @param path as sent, not decoded
 * @param query as sent, without the question mark; empty if there is none
 * @param contentType empty if there is none
 * @param headerLookup the values of a header, one for each line that was sent, by its name in any case
 */
public record RequestHead(
        String method, String path, String query, String contentType, Function<String, List<String>> headerLookup) {

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

    RequestContent withBody(Payload body) {
        return RequestContent.http(method, path, query, contentType, RepeatableBody.of(body.bytes()));
    }

    /** Safe for logs. */
    @Override
    public String toString() {
        return method + " " + path;
    }
}
