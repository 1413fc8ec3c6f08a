package dev.refrain.http.client;

import java.net.http.HttpHeaders;

/** Response, read completely. The body array is not copied. */
public final class ReceivedResponse {

    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;

    public ReceivedResponse(int status, HttpHeaders headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public HttpHeaders headers() {
        return headers;
    }

    public byte[] body() {
        return body;
    }

    /** Returns whether the server replayed the response of an earlier attempt. */
    public boolean replayed() {
        return headers.firstValue("Idempotent-Replayed")
                .filter(value -> value.strip().equalsIgnoreCase("true"))
                .isPresent();
    }
}
