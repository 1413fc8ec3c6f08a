package dev.refrain.http.servlet;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.internal.body.ResponseBodyRules;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Response whose body is held back. Status and headers are set on the real response, which applies its container's rules; it is
 * not committed before the body is sent. To the handler it behaves like any response: once flushed it counts as committed, and
 * calls that a committed response ignores or rejects are ignored or rejected here.
 */
final class CapturedServletResponse extends HttpServletResponseWrapper {

    /** Arguments of the handler's {@code sendError} call. */
    record SentError(int status, @Nullable String message) {}

    private final HttpServletResponse real;
    private final Map<String, List<String>> before;
    private final ResponseBodyBuffer body;
    private @Nullable PrintWriter writer;
    private boolean streamTaken;
    private boolean committed;
    private @Nullable SentError error;
    private final ResponseDetachment detachment = new ResponseDetachment();

    /** Captures a response; {@code tooLarge} is called once, with the reason, before the body is streamed or spooled. */
    CapturedServletResponse(
            HttpServletResponse real,
            int limit,
            ResponseBodyBuffer.OverflowPolicy overflow,
            BufferReservation memory,
            Consumer<String> tooLarge) {
        super(real);
        this.real = real;
        this.before = headersOf(real);
        this.body = new ResponseBodyBuffer(limit, overflow, memory, new ResponseBodyBuffer.ResponseCallback() {
            @Override
            public void tooLarge() {
                tooLarge.accept("The response is larger than " + limit + " bytes, or is a stream.");
            }

            @Override
            public void flushed() throws IOException {
                passIfStream();
                committed = true;
            }

            @Override
            public OutputStream client() throws IOException {
                return detachment.isDetached() ? OutputStream.nullOutputStream() : real.getOutputStream();
            }
        });
    }

    Optional<SentError> error() {
        return Optional.ofNullable(error);
    }

    /** Lets an error page write its body, as if the response had not ended. */
    HttpServletResponse reopened() {
        error = null;
        committed = false;
        writer = null;
        streamTaken = false;
        body.beginAgain();
        return this;
    }

    /** Returns true if the client has already been sent a part of this response. */
    boolean passed() {
        return body.passing();
    }

    /** Returns the handler's response. */
    Outcome.Answer answer() {
        flushWriter();
        return new Outcome.Answer(
                getStatus(),
                handlersHeaders(),
                Payload.of(body.overflown() || body.passing() ? new byte[0] : body.held()));
    }

    /** Sends the held response. A client that has disconnected does not matter. */
    void send() throws IOException {
        flushWriter();
        if (body.passing()) {
            return;
        }
        try {
            if (ResponseBodyRules.hasBody(getStatus())) {
                real.setContentLengthLong(body.size());
            }
            body.sendTo(real.getOutputStream());
            real.flushBuffer();
        } finally {
            body.discard();
        }
    }

    /**
     * Sends another response. Resets what the handler set; headers set before the handler remain.
     *
     * @throws IOException if the client already has a part of the handler's response and must see a broken connection
     */
    void sendInstead(EdgeResponse reply) throws IOException {
        if (body.passing()) {
            throw new IOException(
                    "Aborted the response: the stored outcome differs from the response that was being streamed.");
        }
        body.discard();
        ServletResponseSender.sendInstead(real, before, reply);
    }

    /**
     * Separates the real response from its handler, which may still run on another thread and from now on writes to nothing;
     * returns false if the client has already been sent a part of the handler's response.
     */
    boolean detach() {
        return detachment.detach(() -> {
            if (body.passing()) {
                return false;
            }
            body.end();
            return true;
        });
    }

    /** Sends another response than that of the handler from which this one was detached. */
    void sendDetached(EdgeResponse reply) throws IOException {
        ServletResponseSender.sendInstead(real, before, reply);
    }

    /** Lets the container send the error, as without protection. */
    void sendError(SentError told) throws IOException {
        body.discard();
        if (told.message() == null) {
            real.sendError(told.status());
        } else {
            real.sendError(told.status(), told.message());
        }
    }

    void discard() {
        body.discard();
    }

    /** Returns the headers that the handler set or changed; earlier filters set theirs again on a replay. */
    private List<AnswerHeader> handlersHeaders() {
        var headers = new ArrayList<AnswerHeader>();
        headersOf(real).forEach((name, values) -> {
            if (!values.equals(before.get(name))) {
                values.forEach(value -> headers.add(new AnswerHeader(name, value)));
            }
        });
        return headers;
    }

    /** Includes the content type, which containers keep apart from the other headers. */
    private static Map<String, List<String>> headersOf(HttpServletResponse response) {
        var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        for (String name : response.getHeaderNames()) {
            headers.put(name, List.copyOf(response.getHeaders(name)));
        }
        String type = response.getContentType();
        if (type != null) {
            headers.put("Content-Type", List.of(type));
        }
        return headers;
    }

    private void flushWriter() {
        if (writer != null) {
            boolean was = committed;
            writer.flush();
            committed = was;
        }
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (writer != null) {
            throw new IllegalStateException("getWriter() was already called on this response.");
        }
        streamTaken = true;
        passIfStream();
        return body;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (writer == null) {
            if (streamTaken) {
                throw new IllegalStateException("getOutputStream() was already called on this response.");
            }
            // Taking the writer fixes the encoding, which then is a part of the content type.
            detachment.unlessDetached(() -> real.setCharacterEncoding(getCharacterEncoding()));
            passIfStream();
            writer = new PrintWriter(new OutputStreamWriter(body, Charset.forName(getCharacterEncoding())), false);
        }
        return writer;
    }

    private void passIfStream() throws IOException {
        String type = detachment.isDetached() ? null : real.getContentType();
        if (type != null && ResponseBodyRules.isStream(type)) {
            body.pass();
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        if (writer != null) {
            writer.flush();
        }
        body.flush();
    }

    @Override
    public boolean isCommitted() {
        return committed || detachment.isDetached() || body.passing();
    }

    @Override
    public void reset() {
        requireOpen("reset");
        resetBuffer();
        detachment.unlessDetached(() -> ServletResponseSender.reset(real, before));
        writer = null;
        streamTaken = false;
    }

    @Override
    public void resetBuffer() {
        requireOpen("resetBuffer");
        flushWriter();
        body.forget();
    }

    private void requireOpen(String what) {
        if (isCommitted()) {
            throw new IllegalStateException(what + "() was called after the response was committed.");
        }
    }

    @Override
    public void sendError(int status) {
        sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) {
        requireOpen("sendError");
        resetBuffer();
        detachment.unlessDetached(() -> real.setStatus(status));
        writer = null;
        streamTaken = false;
        error = new SentError(status, message);
        committed = true;
        body.end();
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, SC_FOUND, true);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    @Override
    public void sendRedirect(String location, int status) {
        sendRedirect(location, status, true);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        requireOpen("sendRedirect");
        if (clearBuffer) {
            resetBuffer();
        }
        detachment.unlessDetached(() -> {
            real.setStatus(status);
            real.setHeader("Location", location);
        });
        committed = true;
        body.end();
    }

    @Override
    public void setStatus(int status) {
        unlessCommitted(() -> real.setStatus(status));
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        unlessCommitted(() -> {
            if (!isLength(name)) {
                real.setHeader(name, value);
            }
        });
    }

    @Override
    public void addHeader(String name, String value) {
        unlessCommitted(() -> {
            if (!isLength(name)) {
                real.addHeader(name, value);
            }
        });
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public void setDateHeader(String name, long date) {
        unlessCommitted(() -> real.setDateHeader(name, date));
    }

    @Override
    public void addDateHeader(String name, long date) {
        unlessCommitted(() -> real.addDateHeader(name, date));
    }

    @Override
    public void addCookie(Cookie cookie) {
        unlessCommitted(() -> real.addCookie(cookie));
    }

    @Override
    public void setContentType(@Nullable String type) {
        unlessCommitted(() -> real.setContentType(type));
    }

    @Override
    public void setCharacterEncoding(@Nullable String charset) {
        unlessCommitted(() -> real.setCharacterEncoding(charset));
    }

    @Override
    public void setLocale(Locale locale) {
        unlessCommitted(() -> {
            real.setLocale(locale);
            real.setHeader("Content-Language", locale.toLanguageTag());
        });
    }

    /** Does nothing: the length is that of the bytes written. */
    @Override
    public void setContentLength(int length) {}

    @Override
    public void setContentLengthLong(long length) {}

    @Override
    public void setBufferSize(int size) {}

    private static boolean isLength(String name) {
        return name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("Transfer-Encoding");
    }

    private void unlessCommitted(Runnable change) {
        detachment.unlessDetached(() -> {
            if (!isCommitted()) {
                change.run();
            }
        });
    }
}
