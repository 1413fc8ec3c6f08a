package dev.refrain.api;

import dev.refrain.internal.key.LosslessUtf8;
import java.util.Objects;

/**
 * Content of a request that is fingerprinted: what a client asked for, without who asked, how or when.
 *
 * <p>Headers are left out on purpose: credentials, tracing and the key itself change between an attempt and its retry. The
 * content type only determines how to read the body.
 * {@snippet :
 * RequestContent overHttp = RequestContent.http("POST", "/payments", "dry=1", "application/json", RepeatableBody.of(bytes));
 * RequestContent byName = RequestContent.json("payments.create", bytes);
 * }
 *
 * <p>Immutable, and thread-safe if the source of its body is. {@link #toString()} shows neither query nor body.
 *
 * @param method the HTTP method as sent, case-sensitive; empty for an operation that is not HTTP
 * @param path the path as sent, not decoded or normalised; or the operation's name
 * @param query the query string as sent, without the question mark; empty if there is none
 * @param contentType the header's value; empty if there is none
 * @param body the body; empty if there is none
 */
public record RequestContent(String method, String path, String query, String contentType, RepeatableBody body) {

    public RequestContent {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(query, "query must not be null; use \"\" if there is none");
        Objects.requireNonNull(contentType, "contentType must not be null; use \"\" if there is none");
        Objects.requireNonNull(body, "body must not be null; use RepeatableBody.empty() if there is none");
    }

    /**
     * Creates the content of an HTTP request.
     *
     * @throws IllegalArgumentException if the method is empty
     */
    public static RequestContent http(
            String method, String path, String query, String contentType, RepeatableBody body) {
        if (method.isEmpty()) {
            throw new IllegalArgumentException(
                    "An HTTP request needs a method. Use RequestContent.of for work without one.");
        }
        return new RequestContent(method, path, query, contentType, body);
    }

    /** Creates the content of an HTTP request with this body. The array is not copied. */
    public static RequestContent http(String method, String path, String query, String contentType, byte[] body) {
        return http(method, path, query, contentType, RepeatableBody.of(body));
    }

    /** Creates the content of a request to a named operation, compared byte by byte. The array is not copied. */
    public static RequestContent of(String operation, byte[] body) {
        return operation(operation, "", RepeatableBody.of(body));
    }

    /** Creates the content of a request to a named operation, compared as UTF-8 text. */
    public static RequestContent of(String operation, String body) {
        return operation(operation, "", RepeatableBody.of(LosslessUtf8.bytes(body)));
    }

    /**
     * Creates the content of a request to a named operation with a JSON body in UTF-8, compared by meaning. The array is not
     * copied.
     */
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
