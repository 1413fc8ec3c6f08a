package dev.refrain.http.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Request whose body was read ahead of the handler and can still be read by it: as a stream, a reader or a form. */
final class BufferedServletRequest extends HttpServletRequestWrapper {

    private byte[] body;
    private InputStream rest;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private @Nullable Map<String, String[]> parameters;

    BufferedServletRequest(HttpServletRequest request, byte[] body) {
        this(request, body, InputStream.nullInputStream());
    }

    /**
     * Creates a request whose body is too large to buffer.
     *
     * @param rest the unread rest of the body
     */
    BufferedServletRequest(HttpServletRequest request, byte[] body, InputStream rest) {
        super(request);
        this.body = body;
        this.rest = rest;
    }

    private InputStream all() {
        return new SequenceInputStream(new ByteArrayInputStream(body), rest);
    }

    @Override
    public ServletInputStream getInputStream() {
        if (reader != null) {
            throw new IllegalStateException("getReader() was already called on this request.");
        }
        if (stream == null) {
            stream = new BodyInputStream(all());
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() {
        if (stream != null) {
            throw new IllegalStateException("getInputStream() was already called on this request.");
        }
        if (reader == null) {
            reader = new BufferedReader(new InputStreamReader(all(), charset(StandardCharsets.ISO_8859_1)));
        }
        return reader;
    }

    private Charset charset(Charset otherwise) {
        return Optional.ofNullable(getCharacterEncoding()).map(Charset::forName).orElse(otherwise);
    }

    /** Merges form fields of the buffered body into the container's parameters, which hold only those of the query. */
    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null) {
            var all = new LinkedHashMap<String, List<String>>();
            super.getParameterMap().forEach((name, values) -> all.put(name, new ArrayList<>(List.of(values))));
            if (isForm()) {
                readRest();
                addForm(all);
            }
            var done = new LinkedHashMap<String, String[]>();
            all.forEach((name, values) -> done.put(name, values.toArray(String[]::new)));
            parameters = Collections.unmodifiableMap(done);
        }
        return parameters;
    }

    private void readRest() {
        try {
            var whole = new ByteArrayOutputStream();
            whole.writeBytes(body);
            rest.transferTo(whole);
            body = whole.toByteArray();
            rest = InputStream.nullInputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isForm() {
        return Optional.ofNullable(getContentType())
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded"))
                .isPresent();
    }

    private void addForm(Map<String, List<String>> all) {
        var charset = charset(StandardCharsets.UTF_8);
        for (String pair : new String(body, StandardCharsets.ISO_8859_1).split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                try {
                    all.computeIfAbsent(URLDecoder.decode(name, charset), n -> new ArrayList<>())
                            .add(URLDecoder.decode(value, charset));
                } catch (IllegalArgumentException badEscape) {
                    // A field that cannot be decoded is left out, as containers do.
                }
            }
        }
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterMap().get(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    /** Body stream that never blocks while buffered bytes are left. */
    private static final class BodyInputStream extends ServletInputStream {
        private final PushbackInputStream bytes;

        BodyInputStream(InputStream body) {
            bytes = new PushbackInputStream(body);
        }

        @Override
        public int read() throws IOException {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            return bytes.read(into, offset, count);
        }

        @Override
        public int available() throws IOException {
            return bytes.available();
        }

        @Override
        public boolean isFinished() {
            try {
                int next = bytes.read();
                if (next >= 0) {
                    bytes.unread(next);
                }
                return next < 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean isReady() {
            return true;
        }

        /** Calls the listener on a thread of its own, as a container would; buffered bytes are available at once. */
        @Override
        public void setReadListener(ReadListener listener) {
            Thread.startVirtualThread(() -> {
                try {
                    if (!isFinished()) {
                        listener.onDataAvailable();
                    }
                    listener.onAllDataRead();
                } catch (IOException | RuntimeException e) {
                    listener.onError(e);
                }
            });
        }
    }
}
