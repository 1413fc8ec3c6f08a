package dev.refrain.gateway;

import dev.refrain.http.Reply;
import dev.refrain.outcome.Header;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Who waits for an answer, if anybody still does: that it is gone changes nothing. Not thread-safe. */
final class Client {

    private final Request request;
    private final Response response;
    private final Callback callback;
    private boolean gone;

    Client(Request request, Response response, Callback callback) {
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    void tell(Outcome outcome) {
        outcome.of(request);
    }

    void send(Reply reply) {
        Answers.send(response, callback, reply);
    }

    void begin(int status, List<Header> headers) {
        Answers.head(response, status, headers);
    }

    /** A piece of the body, now. */
    void write(byte[] bytes, int length) {
        if (gone) {
            return;
        }
        try {
            Content.Sink.write(response, false, ByteBuffer.wrap(bytes, 0, length));
        } catch (IOException hungUp) {
            gone = true;
        }
    }

    /** The last piece. */
    void end(byte[] bytes, int length) {
        response.write(true, ByteBuffer.wrap(bytes, 0, length), callback);
    }

    /** It sees its connection end before the answer does. */
    void breakOff(Throwable why) {
        callback.failed(why);
    }
}
