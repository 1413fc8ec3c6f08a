package dev.refrain.fingerprint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Requests as the tests send them, and what a body of theirs was taken for. */
final class Sent {

    static final String JSON = "application/json";
    static final String FORM = "application/x-www-form-urlencoded";

    private Sent() {}

    static Request post(String contentType, String body) {
        return post(contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    static Request post(String contentType, byte[] body) {
        return Request.http("POST", "/payments", "", contentType, body);
    }

    static Request json(String body) {
        return post(JSON, body);
    }

    static Fingerprint plain(Request request) {
        return Fingerprinter.unkeyed().of(request);
    }

    /** What plain version 1 takes the body for. */
    static BodyKind kind(Request request) {
        return kind(request, "1");
    }

    static BodyKind kind(Request request, String recipe) {
        try {
            return BodyDigest.of(request, Recipe.parse(recipe).orElseThrow()).kind();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
