package dev.refrain.http.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A request that can be sent again: after a lost answer, and after a restart. Immutable.
 *
 * <p>It has no credentials in it. They would be kept on disk with it, and may have run out by the time it is sent again: give
 * them with {@link RefrainClientBuilder#eachAttempt}.
 */
public record ResendableRequest(String method, URI uri, List<HeaderField> headers, ResendableBody body) {

    private static final Set<String> NEVER_UNDER_A_KEY = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");
    private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie", "proxy-authorization");

    public ResendableRequest {
        if (NEVER_UNDER_A_KEY.contains(method.toUpperCase(Locale.ROOT))) {
            throw new IllegalArgumentException(method + " needs no key: send it with java.net.http alone.");
        }
        headers = List.copyOf(headers);
        headers.forEach(header -> check(header.name().toLowerCase(Locale.ROOT)));
        // What cannot be sent must be known before it is kept.
        var trial = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
        headers.forEach(header -> trial.header(header.name(), header.value()));
    }

    private static void check(String name) {
        if (CREDENTIALS.contains(name)) {
            throw new IllegalArgumentException("header " + name
                    + ": credentials are not kept with a request; set them in eachAttempt of the client's builder.");
        }
        if (name.equals("idempotency-key")) {
            throw new IllegalArgumentException(
                    "header idempotency-key: the client sets it; give a key of your own to send(key, request).");
        }
    }

    public static ResendableRequest post(URI uri, ResendableBody body) {
        return new ResendableRequest("POST", uri, List.of(), body);
    }

    /** Carries JSON, and says so. */
    public static ResendableRequest postJson(URI uri, String json) {
        return post(uri, ResendableBody.of(json)).with("Content-Type", "application/json");
    }

    /** The same request with one header more. */
    public ResendableRequest with(String name, String value) {
        var more = new ArrayList<>(headers);
        more.add(new HeaderField(name, value));
        return new ResendableRequest(method, uri, more, body);
    }

    /** Whether a server takes it for the same: headers do not count. */
    boolean isSameAs(ResendableRequest other) {
        return method.equals(other.method) && uri.equals(other.uri) && body.equals(other.body);
    }
}
