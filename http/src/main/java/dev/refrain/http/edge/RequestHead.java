package dev.refrain.http.edge;

import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Head of a request: what an edge knows before it reads the body. Immutable.
 *
 * @param method in upper case, in whatever case it was sent: services differ in how they read that
 * @param path as sent, not decoded
 * @param query as sent, without the question mark; empty if there is none
 * @param contentType empty if there is none
 * @param headerLookup returns the values of a header, one per header line; names are case-insensitive
 */
public record RequestHead(
        String method, String path, String query, String contentType, Function<String, List<String>> headerLookup) {

    private static final char REPLACEMENT = '\uFFFD';

    public RequestHead {
        method = method.toUpperCase(Locale.ROOT);
    }

    public List<String> headers(String name) {
        return headerLookup.apply(name);
    }

    /** Returns true if path or query hold bytes that the server could not decode: its text stands for other requests too. */
    boolean isUndecodable() {
        return path.indexOf(REPLACEMENT) >= 0 || query.indexOf(REPLACEMENT) >= 0;
    }

    /** Returns true if a value of the header contains this token, alone or in a list. */
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

    RequestContent withBody(RepeatableBody body) {
        return RequestContent.http(method, path, query, contentType, body);
    }

    /** Returns the path without its parameters, which may hold a session: {@code /pay;…} for {@code /pay;jsessionid=1}. */
    String pathWithoutParameters() {
        return path.replaceAll(";[^/]*", ";…");
    }

    /** Safe for logs, except that it may hold characters that cannot be printed. */
    @Override
    public String toString() {
        return method + " " + pathWithoutParameters();
    }
}
