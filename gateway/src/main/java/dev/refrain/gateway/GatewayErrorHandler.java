package dev.refrain.gateway;

import dev.refrain.http.edge.ProblemResponses;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Writes the short problem for requests that cannot be handled, without repeating anything that was sent. */
final class GatewayErrorHandler extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() >= 400 ? response.getStatus() : 500;
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemResponses.MEDIA_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.write(true, body(status), callback);
        return true;
    }

    /** Answers 408 to a client that did not send its body in time, and closes the connection of one that disconnected. */
    static void unread(Request request, Response response, Callback callback, Throwable why) {
        if (isLate(why)) {
            Response.writeError(request, response, callback, HttpStatus.REQUEST_TIMEOUT_408);
        } else {
            callback.failed(why);
        }
    }

    static boolean isLate(Throwable why) {
        return why instanceof TimeoutException || why.getCause() instanceof TimeoutException;
    }

    private static ByteBuffer body(int status) {
        String text = "{\"type\":\"about:blank\",\"title\":\"" + HttpStatus.getMessage(status) + "\",\"status\":"
                + status + "}";
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
