package dev.refrain.internal.fingerprint;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RequestContent;
import dev.refrain.store.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Requests as the tests send them, and what a body of theirs was taken for. */
final class TestRequests {

    static final String JSON = "application/json";
    static final String FORM = "application/x-www-form-urlencoded";

    private TestRequests() {}

    static RequestContent post(String contentType, String body) {
        return post(contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    static RequestContent post(String contentType, byte[] body) {
        return RequestContent.http("POST", "/payments", "", contentType, body);
    }

    static RequestContent json(String body) {
        return post(JSON, body);
    }

    static Fingerprint plain(RequestContent request) {
        return RequestFingerprinter.unkeyed().of(request);
    }

    /** What plain version 1 takes the body for. */
    static DigestedBodyKind kind(RequestContent request) {
        return kind(request, "1");
    }

    static DigestedBodyKind kind(RequestContent request, String recipe) {
        try {
            return RequestBodyDigest.of(request, FingerprintRecipe.parse(recipe).orElseThrow())
                    .kind();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
