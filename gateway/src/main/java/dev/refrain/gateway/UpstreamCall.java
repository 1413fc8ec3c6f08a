package dev.refrain.gateway;

import dev.refrain.api.Outcome.Answer;
import dev.refrain.api.Payload;
import dev.refrain.gateway.UpstreamResult.PassReason;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.internal.body.BodyBuffer;
import dev.refrain.http.internal.body.ResponseBodyRules;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * One call of the upstream and its result. The request is sent at most once: the client library moves a request to another connection only
 * if the first one had timed out before the request was handed to it.
 */
final class UpstreamCall {

    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration MEMORY_TIMEOUT = Duration.ofSeconds(5);
    private static final Payload NOTHING = Payload.of(new byte[0]);

    private final Request request;
    private final UpstreamConnectionQueue.Turn turn;
    private final SentByteTracker bytes;
    private final Duration timeout;
    private final int maxBytes;
    private final BufferReservation memory;
    private final CountDownLatch begunOrEnded = new CountDownLatch(1);
    private final InputStreamResponseListener answer = new InputStreamResponseListener() {
        @Override
        public void onComplete(Result result) {
            super.onComplete(result);
            begunOrEnded.countDown();
            turn.close();
        }
    };
    private volatile Optional<SentByteTracker.SendMark> begun = Optional.empty();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Exception endedBy;

    private UpstreamCall(
            Request request,
            UpstreamConnectionQueue.Turn turn,
            SentByteTracker bytes,
            Duration timeout,
            int maxBytes,
            BufferReservation memory) {
        this.request = request;
        this.turn = turn;
        this.bytes = bytes;
        this.timeout = timeout;
        this.maxBytes = maxBytes;
        this.memory = memory;
    }

    /**
     * @param turn its place in the queue for a connection, which it leaves once its answer has been read
     * @param bytes knows what was written to the connections
     * @param timeout how long it may wait for a connection; and then, how long the answer may take to begin, and how long it may stand
     *     still
     * @param maxBytes how much of its body is held
     * @param memory where it is held; if there is none, the answer waits at the service for a while
     */
    static UpstreamCall of(
            Request request,
            UpstreamConnectionQueue.Turn turn,
            SentByteTracker bytes,
            Duration timeout,
            int maxBytes,
            BufferReservation memory) {
        return new UpstreamCall(request, turn, bytes, timeout, maxBytes, memory);
    }

    /** Ends the call on any thread, before or while it runs, unless its answer has been read. */
    void end(Exception why) {
        if (over.compareAndSet(false, true)) {
            endedBy = why;
            var unused = request.abort(why);
            turn.close();
        }
    }

    /** Sends the request and waits for its answer. */
    UpstreamResult send() {
        var result = sendAndRead();
        over.set(true);
        return result;
    }

    private UpstreamResult sendAndRead() {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            turn.await(timeout);
        } catch (UpstreamBusyException | InterruptedException none) {
            turn.close();
            return new UpstreamResult.NotSent(
                    Optional.<Throwable>ofNullable(endedBy).orElse(none));
        }
        request.onRequestBegin(sent -> {
            begun = Optional.of(bytes.mark(sent.getConnection()));
            begunOrEnded.countDown();
        });
        request.idleTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        try {
            request.send(answer);
        } catch (RuntimeException | Error failed) {
            turn.close();
            throw failed;
        }
        try {
            if (!begunOrEnded.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return abort(new TimeoutException("No connection to the upstream became free in time."));
            }
            return answered(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException failed) {
            return unanswered(Optional.ofNullable(failed.getCause()).orElse(failed));
        } catch (TimeoutException | IOException | InterruptedException failed) {
            return abort(failed);
        }
    }

    private UpstreamResult answered(Response head) throws IOException {
        if (HttpStatus.isInformational(head.getStatus())) {
            throw new AmbiguousResponseException(head.getStatus());
        }
        var body = answer.getInputStream();
        var headers = HopByHopHeaders.removeFrom(head.getHeaders());
        boolean stream = ResponseBodyRules.isStream(
                Optional.ofNullable(head.getHeaders().get("Content-Type")).orElse(""));
        var steering = Optional.of(String.join(", ", head.getHeaders().getValuesList(UpstreamOutcomeHeader.HEADER)))
                .filter(said -> head.getHeaders().contains(UpstreamOutcomeHeader.HEADER));
        if (stream) {
            return new UpstreamResult.Answered(
                    new Answer(head.getStatus(), headers, NOTHING), steering, passed(body, PassReason.STREAM));
        }
        var held = new BodyBuffer(memory, this::awaitMemory, maxBytes);
        // The length of a 304 is that of the representation, which does not follow.
        boolean follows = ResponseBodyRules.hasBody(head.getStatus());
        var read = held.expect(follows ? head.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) : 0);
        if (read == BodyBuffer.BufferResult.BUFFERED) {
            read = held.readFrom(body);
        }
        var answer = new Answer(head.getStatus(), headers, held.payload());
        return new UpstreamResult.Answered(
                answer,
                steering,
                switch (read) {
                    case BUFFERED -> Optional.empty();
                    case TOO_LARGE -> passed(body, PassReason.TOO_LARGE);
                    case NO_MEMORY -> passed(body, PassReason.NO_MEMORY);
                });
    }

    private static Optional<UpstreamResult.PassedBody> passed(InputStream rest, PassReason why) {
        return Optional.of(new UpstreamResult.PassedBody(rest, why));
    }

    /**
     * Waits for memory for a part of the answer, for less than the idle timeout of the connection. Nothing that is waited for here needs this call
     * to go on: others release their memory when their clients have read their answers or are given up, and those that wait here as well go on
     * without memory after the same time.
     */
    private boolean awaitMemory(long length) {
        var half = timeout.dividedBy(2);
        return memory.awaitReserve(length, half.compareTo(MEMORY_TIMEOUT) < 0 ? half : MEMORY_TIMEOUT);
    }

    /**
     * Aborts the call and waits until it has ended, because only then it is certain whether a connection had it. An interrupted wait counts
     * as sent: an outcome to be kept, not a failure to forget.
     */
    private UpstreamResult abort(Exception why) {
        var unused = request.abort(why);
        try {
            answer.await(ABORT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stillNotEnded) {
            turn.close();
            return new UpstreamResult.Unanswered(why);
        } catch (InterruptedException stopped) {
            return new UpstreamResult.Unanswered(stopped);
        }
        return unanswered(why);
    }

    /**
     * Returns the result of a failed call, which was sent from its first byte on the wire. The kind of failure says nothing about that: TLS
     * reports failures after the handshake as failed handshakes too.
     */
    private UpstreamResult unanswered(Throwable failure) {
        var why = Optional.<Throwable>ofNullable(endedBy).orElse(failure);
        return begun.map(SentByteTracker.SendMark::mayHaveSent).orElse(false)
                ? new UpstreamResult.Unanswered(why)
                : new UpstreamResult.NotSent(why);
    }
}
