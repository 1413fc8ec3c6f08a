package dev.refrain.http.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;

/**
 * Sends a request once, with an HTTP library other than {@code java.net.http}. Implementations put {@link
 * PendingRequest#headerValue} into the header {@link #KEY_HEADER}, add credentials if needed, must not retry and must
 * be thread-safe.
 */
@FunctionalInterface
public interface PendingRequestSender {

    String KEY_HEADER = "Idempotency-Key";

    /**
     * Sends the request and reads the whole response.
     *
     * @param timeout the maximum time, including the response body
     * @throws FileNotFoundException if the request's body file is missing; nothing was sent
     * @throws IOException if there is no complete response; whether the request took effect is unknown
     * @throws InterruptedException if the thread is interrupted; the request stays pending
     */
    ReceivedResponse send(PendingRequest intent, Duration timeout) throws IOException, InterruptedException;
}
