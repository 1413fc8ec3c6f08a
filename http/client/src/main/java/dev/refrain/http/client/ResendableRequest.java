package dev.refrain.http.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Request that can be sent again, also after a restart. Immutable.
 *
 * <p>Contains no credentials, because they would be stored on disk and may have expired when it is sent again: set them
 * with {@link RefrainClientBuilder#eachAttempt}.
 */
public record ResendableRequest(String method, URI uri, List<HeaderField> headers, ResendableBody body) {

    private static final Set<String> METHODS_WITHOUT_KEY = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");
    private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie", "proxy-authorization");

    public ResendableRequest {
        if (METHODS_WITHOUT_KEY.contains(method.toUpperCase(Locale.ROOT))) {
            throw new IllegalArgumentException(method + " needs no idempotency key. Send it with java.net.http.");
        }
        headers = List.copyOf(headers);
        headers.forEach(header -> check(header.name().toLowerCase(Locale.ROOT)));
        // Fail before the request is saved if it cannot be sent.
        var trial = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
        headers.forEach(header -> trial.header(header.name(), header.value()));
    }

    private static void check(String name) {
        if (CREDENTIALS.contains(name)) {
            throw new IllegalArgumentException("Header " + name
                    + " is not allowed: credentials are not stored with a request. Set them with "
                    + "RefrainClientBuilder.eachAttempt.");
        }
        if (name.equals("idempotency-key")) {
            throw new IllegalArgumentException(
                    "Header idempotency-key is not allowed: the client sets it. To use your own key, call send(key, request).");
        }
    }

    public static ResendableRequest post(URI uri, ResendableBody body) {
        return new ResendableRequest("POST", uri, List.of(), body);
    }

    /** Creates a POST request with a JSON body. */
    public static ResendableRequest postJson(URI uri, String json) {
        return post(uri, ResendableBody.of(json)).with("Content-Type", "application/json");
    }

    /** Returns the same request with one more header. */
    public ResendableRequest with(String name, String value) {
        var more = new ArrayList<>(headers);
        more.add(new HeaderField(name, value));
        return new ResendableRequest(method, uri, more, body);
    }

    /** Returns whether a server would consider both requests the same; headers do not count. */
    boolean isSameAs(ResendableRequest other) {
        return method.equals(other.method) && uri.equals(other.uri) && body.equals(other.body);
    }
}
