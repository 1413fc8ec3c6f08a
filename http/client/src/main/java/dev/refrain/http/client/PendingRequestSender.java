package dev.refrain.http.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;

/**
 * Sends an intent once: what a library other than {@code java.net.http} is used through. It puts {@link PendingRequest#headerValue}
 * into the header {@link #KEY_HEADER}, and adds credentials if there are any. It does not retry by itself. Thread-safe.
 */
@FunctionalInterface
public interface PendingRequestSender {

    String KEY_HEADER = "Idempotency-Key";

    /**
     * @param atMost how long it may take, the body of the answer included
     * @throws FileNotFoundException if the request's body is gone; nothing was sent
     * @throws IOException if there is no whole answer; whether the request took effect is then unknown
     * @throws InterruptedException if the thread is interrupted; the intent is pending
     */
    ReceivedResponse send(PendingRequest intent, Duration atMost) throws IOException, InterruptedException;
}
