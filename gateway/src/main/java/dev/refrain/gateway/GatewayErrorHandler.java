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

    private static final String DETAIL = GatewayErrorHandler.class.getName() + ".detail";

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() >= 400 ? response.getStatus() : 500;
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemResponses.MEDIA_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.write(true, body(status, detail(request, status)), callback);
        return true;
    }

    /**
     * Refuses a request before anything is claimed.
     *
     * @param detail what is wrong and what to do, in ASCII without quotes
     */
    static void refuse(Request request, Response response, Callback callback, int status, String detail) {
        GatewayRequestOutcome.REFUSED.attachTo(request);
        request.setAttribute(DETAIL, detail);
        Response.writeError(request, response, callback, status);
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

    private static String detail(Request request, int status) {
        if (request.getAttribute(DETAIL) instanceof String given) {
            return given;
        }
        return switch (status) {
            case HttpStatus.BAD_REQUEST_400 ->
                "The request is not valid HTTP, or servers disagree on how to read it. Nothing was forwarded. Send one Host, one length, headers"
                        + " without control characters, and a path without %2e%2e and ..; segments.";
            case HttpStatus.URI_TOO_LONG_414, HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 ->
                "The head of the request is larger than this gateway accepts. Nothing was forwarded. Send a shorter path, query or headers.";
            default -> "";
        };
    }

    private static ByteBuffer body(int status, String detail) {
        String text = "{\"type\":\"about:blank\",\"title\":\"" + HttpStatus.getMessage(status) + "\",\"status\":"
                + status + (detail.isEmpty() ? "" : ",\"detail\":\"" + detail + "\"") + "}";
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
