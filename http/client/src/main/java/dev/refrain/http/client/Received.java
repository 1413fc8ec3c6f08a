package dev.refrain.http.client;

import java.net.http.HttpHeaders;

/** What came back, read to its end. */
final class Received {

    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;

    Received(int status, HttpHeaders headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    int status() {
        return status;
    }

    HttpHeaders headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    /** Whether it is the answer that was kept of an earlier attempt. */
    boolean replayed() {
        return headers.firstValue("Idempotent-Replayed")
                .filter(value -> value.strip().equalsIgnoreCase("true"))
                .isPresent();
    }
}
