package dev.refrain.outbox;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/**
 * Body of a request that remembers whether its client has begun to write the request.
 *
 * <p>A client cannot write the head of a request before it has asked for the body's length, and asks once there is a connection: after a TLS
 * handshake, and after a proxy has opened a tunnel. One that asks earlier is taken to have written. Thread-safe.
 */
final class TrackedBodyPublisher implements BodyPublisher {

    private final BodyPublisher body;
    private volatile boolean begun;

    TrackedBodyPublisher(byte[] bytes) {
        body = BodyPublishers.ofByteArray(bytes);
    }

    /** Returns false only if not a byte of the request was written. */
    boolean mayBeWritten() {
        return begun;
    }

    @Override
    public long contentLength() {
        begun = true;
        return body.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        begun = true;
        body.subscribe(subscriber);
    }
}
