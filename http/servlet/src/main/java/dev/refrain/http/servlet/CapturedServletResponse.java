package dev.refrain.http.servlet;

import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeHeader;
import dev.refrain.api.Payload;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.ResponseBodyRules;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body is held back. Status and headers are set on the real response, which knows its container's ways; it is
 * not committed before the body is sent. To the handler it looks as any response does: once it was flushed it is committed, and
 * what a committed response ignores or refuses is ignored or refused here.
 */
final class CapturedServletResponse extends HttpServletResponseWrapper {

    /** What the handler said by {@code sendError}. */
    record SentError(int status, @Nullable String message) {}

    private final HttpServletResponse real;
    private final Map<String, List<String>> before;
    private final ResponseBodyBuffer body;
    private @Nullable PrintWriter writer;
    private boolean streamTaken;
    private boolean committed;
    private @Nullable SentError error;

    /** @param tooLarge told once, before an answer passes or is spooled */
    CapturedServletResponse(
            HttpServletResponse real,
            int limit,
            ResponseBodyBuffer.OverflowPolicy overflow,
            Consumer<String> tooLarge) {
        super(real);
        this.real = real;
        this.before = headersOf(real);
        this.body = new ResponseBodyBuffer(limit, overflow, new ResponseBodyBuffer.ResponseCallback() {
            @Override
            public void tooLarge() {
                tooLarge.accept("It is larger than " + limit + " bytes, or a stream.");
            }

            @Override
            public void flushed() throws IOException {
                passIfStream();
                committed = true;
            }

            @Override
            public OutputStream client() throws IOException {
                return real.getOutputStream();
            }
        });
    }

    Optional<SentError> error() {
        return Optional.ofNullable(error);
    }

    /** The body of an error page may be written now, as if the answer had not ended. */
    HttpServletResponse reopened() {
        error = null;
        committed = false;
        writer = null;
        streamTaken = false;
        body.beginAgain();
        return this;
    }

    /** Whether the client has been sent a part of this already. */
    boolean passed() {
        return body.passing();
    }

    /** What the handler answered. */
    Outcome.Answer answer() {
        flushWriter();
        return new Outcome.Answer(
                getStatus(),
                handlersHeaders(),
                Payload.of(body.overflown() || body.passing() ? new byte[0] : body.held()));
    }

    /** Sends what was held back. A client that is gone changes nothing. */
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
     * Sends something else. What the handler set is taken back; what others had set before it stays.
     *
     * @throws IOException if the client has a part of another answer, which it must not take for the whole
     */
    void sendInstead(EdgeResponse reply) throws IOException {
        if (body.passing()) {
            throw new IOException("The answer is broken off: what is stored is not what was being sent.");
        }
        body.discard();
        real.reset();
        before.forEach((name, values) -> values.forEach(value -> real.addHeader(name, value)));
        send(real, reply);
    }

    /** Leaves the rest to the container, as without protection. */
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

    static void send(HttpServletResponse response, EdgeResponse reply) throws IOException {
        response.setStatus(reply.status());
        var seen = new HashSet<String>();
        for (var header : reply.headers()) {
            if (header.name().equalsIgnoreCase("Content-Type")) {
                response.setContentType(header.value());
            } else if (seen.add(header.name().toLowerCase(Locale.ROOT))) {
                response.setHeader(header.name(), header.value());
            } else {
                response.addHeader(header.name(), header.value());
            }
        }
        byte[] bytes = reply.body().bytes();
        if (ResponseBodyRules.hasBody(reply.status())) {
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
        response.flushBuffer();
    }

    /** Those that the handler set or changed; what others had set before it is theirs to set again. */
    private List<OutcomeHeader> handlersHeaders() {
        var headers = new ArrayList<OutcomeHeader>();
        headersOf(real).forEach((name, values) -> {
            if (!values.equals(before.get(name))) {
                values.forEach(value -> headers.add(new OutcomeHeader(name, value)));
            }
        });
        return headers;
    }

    /** Containers keep the content type apart from the other headers. */
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
            throw new IllegalStateException("getWriter() was called before.");
        }
        streamTaken = true;
        passIfStream();
        return body;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (writer == null) {
            if (streamTaken) {
                throw new IllegalStateException("getOutputStream() was called before.");
            }
            // A writer settles the encoding, which then is part of the content type.
            real.setCharacterEncoding(getCharacterEncoding());
            passIfStream();
            writer = new PrintWriter(new OutputStreamWriter(body, Charset.forName(getCharacterEncoding())), false);
        }
        return writer;
    }

    private void passIfStream() throws IOException {
        String type = real.getContentType();
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
        return committed || body.passing();
    }

    @Override
    public void reset() {
        requireOpen("reset");
        resetBuffer();
        real.reset();
        before.forEach((name, values) -> values.forEach(value -> real.addHeader(name, value)));
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
            throw new IllegalStateException(what + "() after the answer was committed.");
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
        real.setStatus(status);
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
        real.setStatus(status);
        real.setHeader("Location", location);
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

    /** Lengths are counted here: an answer is as long as what was written. */
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
        if (!isCommitted()) {
            change.run();
        }
    }
}
