package dev.refrain.gateway;

import dev.refrain.api.OutcomeHeader;
import dev.refrain.http.edge.EdgeResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Who waits for an answer, if anybody still does: that it is gone changes nothing. Not thread-safe. */
final class ClientReplyStream {

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Duration longest;
    private boolean gone;

    /** @param longest how long it may take to read a piece of an answer that is not held */
    ClientReplyStream(Request request, Response response, Callback callback, Duration longest) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.longest = longest;
    }

    void recordOutcome(GatewayRequestOutcome outcome) {
        outcome.attachTo(request);
    }

    void send(EdgeResponse reply) {
        JettyReplyWriter.send(response, callback, reply);
    }

    void begin(int status, List<OutcomeHeader> headers) {
        JettyReplyWriter.head(response, status, headers);
    }

    /** A piece of the body, now; the bytes must not change afterwards. Whoever does not read it keeps nobody else waiting. */
    void write(byte[] bytes, int length) {
        if (gone) {
            return;
        }
        var written = new Callback.Completable();
        response.write(false, ByteBuffer.wrap(bytes, 0, length), written);
        try {
            written.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException notRead) {
            gone = true;
        }
    }

    /** The last piece. */
    void end(byte[] bytes, int length) {
        if (gone) {
            abort(new IOException("The client did not read its answer."));
        } else {
            response.write(true, ByteBuffer.wrap(bytes, 0, length), callback);
        }
    }

    /** It sees its connection end before the answer does. */
    void abort(Throwable why) {
        callback.failed(why);
    }
}
