package dev.refrain.gateway;

import dev.refrain.api.AnswerHeader;
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

/** Writes the response to a client that may have disconnected, which is not an error. Not thread-safe. */
final class ClientReplyStream {

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Duration writeTimeout;
    private boolean gone;

    /** @param writeTimeout how long it may take to read a piece of an answer that is not held */
    ClientReplyStream(Request request, Response response, Callback callback, Duration writeTimeout) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.writeTimeout = writeTimeout;
    }

    void recordOutcome(GatewayRequestOutcome outcome) {
        outcome.attachTo(request);
    }

    void send(EdgeResponse reply) {
        JettyReplyWriter.send(response, callback, reply);
    }

    void begin(int status, List<AnswerHeader> headers) {
        JettyReplyWriter.head(response, status, headers);
    }

    /** Writes a part of the body now; the bytes must not change afterwards. A client that does not read it in time is given up. */
    void write(byte[] bytes, int length) {
        if (gone) {
            return;
        }
        var written = new Callback.Completable();
        response.write(false, ByteBuffer.wrap(bytes, 0, length), written);
        try {
            written.get(writeTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException notRead) {
            gone = true;
        }
    }

    /** Writes the last part of the body. */
    void end(byte[] bytes, int length) {
        if (gone) {
            abort(new IOException("The client did not read its response in time."));
        } else {
            response.write(true, ByteBuffer.wrap(bytes, 0, length), callback);
        }
    }

    /** Closes the connection before the response is complete, so that the client notices. */
    void abort(Throwable why) {
        callback.failed(why);
    }
}
