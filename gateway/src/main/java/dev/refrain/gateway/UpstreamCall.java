package dev.refrain.gateway;

import dev.refrain.api.Outcome.Answer;
import dev.refrain.api.Payload;
import dev.refrain.http.edge.ResponseBodyRules;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpStatus;

/**
 * One call of the upstream and its result. The request is sent at most once: the client library moves a request to another connection only
 * if the first one had timed out before the request was handed to it.
 */
final class UpstreamCall {

    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(5);

    private final Request request;
    private final Duration timeout;
    private final int maxBytes;
    private final CountDownLatch begunOrEnded = new CountDownLatch(1);
    private final InputStreamResponseListener answer = new InputStreamResponseListener() {
        @Override
        public void onComplete(Result result) {
            super.onComplete(result);
            begunOrEnded.countDown();
        }
    };
    private volatile boolean begun;

    private UpstreamCall(Request request, Duration timeout, int maxBytes) {
        this.request = request;
        this.timeout = timeout;
        this.maxBytes = maxBytes;
    }

    /**
     * @param timeout how long it may wait for a connection; and then, how long the answer may take to begin, and how long it may stand
     *     still
     * @param maxBytes how much of its body is held
     */
    static UpstreamResult send(Request request, Duration timeout, int maxBytes) {
        return new UpstreamCall(request, timeout, maxBytes).send();
    }

    private UpstreamResult send() {
        // From here on a connection has it. What of it left this machine is not told by any API.
        request.onRequestBegin(sent -> {
            begun = true;
            begunOrEnded.countDown();
        });
        request.idleTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        request.send(answer);
        try {
            if (!begunOrEnded.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
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
        byte[] start = stream ? new byte[0] : body.readNBytes(maxBytes);
        Optional<InputStream> rest = stream ? Optional.of(body) : more(body);
        return new UpstreamResult.Answered(
                new Answer(head.getStatus(), headers, Payload.of(start)),
                Optional.ofNullable(head.getHeaders().get(UpstreamOutcomeHeader.HEADER)),
                rest);
    }

    private static Optional<InputStream> more(InputStream body) throws IOException {
        int next = body.read();
        return next < 0
                ? Optional.empty()
                : Optional.of(new SequenceInputStream(new ByteArrayInputStream(new byte[] {(byte) next}), body));
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
            return new UpstreamResult.Unanswered(why);
        } catch (InterruptedException stopped) {
            return new UpstreamResult.Unanswered(stopped);
        }
        return unanswered(why);
    }

    /** Returns the result of a failed call: a failed TLS handshake has carried no request. */
    private UpstreamResult unanswered(Throwable why) {
        return begun && !(why instanceof SSLHandshakeException)
                ? new UpstreamResult.Unanswered(why)
                : new UpstreamResult.NotSent(why);
    }
}
