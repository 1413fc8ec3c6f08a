package dev.refrain.api;

import dev.refrain.internal.key.LosslessUtf8;
import java.util.Objects;

/**
 * What is fingerprinted: what a client asked for, without who asked, how or when.
 *
 * <p>There is no place for headers here. Credentials, tracing and the key itself change between an attempt and its
 * retry, so none of them can be let in by mistake; the content type is taken only to know how to read the body.
 *
 * {@snippet :
 * RequestContent overHttp = RequestContent.http("POST", "/payments", "dry=1", "application/json", RepeatableBody.of(bytes));
 * RequestContent byName = RequestContent.json("payments.create", bytes);
 * }
 *
 * <p>Immutable, and as safe for use by many threads as the source of its body. {@link #toString()} shows neither query
 * nor body.
 *
 * @param method the HTTP method as sent, case and all; empty for an operation that is not HTTP
 * @param path the path as sent, not decoded or normalised; or the operation's name
 * @param query what stood behind the question mark, as sent; empty if there was nothing
 * @param contentType the header's value; empty if there was none
 * @param body the body, an empty one if there was none
 */
public record RequestContent(String method, String path, String query, String contentType, RepeatableBody body) {

    public RequestContent {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(query, "query: use \"\" if there is none");
        Objects.requireNonNull(contentType, "contentType: use \"\" if there is none");
        Objects.requireNonNull(body, "body: use Body.empty() if there is none");
    }

    /**
     * A request over HTTP.
     *
     * @throws IllegalArgumentException if the method is empty: that would be an operation's request
     */
    public static RequestContent http(
            String method, String path, String query, String contentType, RepeatableBody body) {
        if (method.isEmpty()) {
            throw new IllegalArgumentException("An HTTP request has a method; for work without one use Request.of.");
        }
        return new RequestContent(method, path, query, contentType, body);
    }

    /** A request over HTTP whose body is at hand. The array is not copied. */
    public static RequestContent http(String method, String path, String query, String contentType, byte[] body) {
        return http(method, path, query, contentType, RepeatableBody.of(body));
    }

    /** A request to a named operation, compared byte by byte. The array is not copied. */
    public static RequestContent of(String operation, byte[] body) {
        return operation(operation, "", RepeatableBody.of(body));
    }

    /** A request to a named operation, compared character by character: the same as its UTF-8 bytes. */
    public static RequestContent of(String operation, String body) {
        return operation(operation, "", RepeatableBody.of(LosslessUtf8.bytes(body)));
    }

    /** A request to a named operation whose body is JSON in UTF-8, compared by meaning. The array is not copied. */
    public static RequestContent json(String operation, byte[] body) {
        return operation(operation, "application/json", RepeatableBody.of(body));
    }

    private static RequestContent operation(String name, String contentType, RepeatableBody body) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("An operation's request needs the operation's name.");
        }
        return new RequestContent("", name, "", contentType, body);
    }

    @Override
    public String toString() {
        return "Request[" + (method.isEmpty() ? path : method + " " + path) + "]";
    }
}
