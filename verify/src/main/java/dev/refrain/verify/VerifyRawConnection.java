package dev.refrain.verify;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Connection without an HTTP library: sends bytes that none would send, and can be cut at any point. Not thread-safe.
 */
final class VerifyRawConnection implements AutoCloseable {

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");
    private static final int STATUS_LINE_LIMIT = 200;

    private final ApiUnderTest api;
    private final Socket socket;
    private final long startedAt = System.nanoTime();

    VerifyRawConnection(ApiUnderTest api, Duration timeout) throws IOException {
        this.api = api;
        var base = api.base();
        boolean secure = "https".equals(base.getScheme());
        int port = base.getPort() > 0 ? base.getPort() : secure ? 443 : 80;
        String host = base.getHost().replaceAll("[\\[\\]]", "");
        int timeoutMillis = Math.toIntExact(timeout.toMillis());
        var plain = new Socket();
        try {
            plain.connect(new InetSocketAddress(host, port), timeoutMillis);
            plain.setSoTimeout(timeoutMillis);
            plain.setTcpNoDelay(true);
            socket = secure ? secured(plain, host, port) : plain;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    private static Socket secured(Socket plain, String host, int port) throws IOException {
        var secure = (SSLSocket) context().getSocketFactory().createSocket(plain, host, port, true);
        var parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure;
    }

    /** Returns the context that the HTTP client uses too. */
    private static SSLContext context() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no TLS.", e);
        }
    }

    /**
     * Sends a request with its full {@code Content-Length}, but only part of its body.
     *
     * @param bodyBytes the number of body bytes to send
     */
    void send(VerifyRequest call, int bodyBytes) throws IOException {
        var uri = api.route().at(api.base(), call.query());
        byte[] body = call.body().getBytes(StandardCharsets.UTF_8);
        var head = new StringBuilder(api.route().method() + " " + uri.getRawPath()
                + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()) + " HTTP/1.1\r\nHost: "
                + uri.getRawAuthority() + "\r\n");
        call.keys().forEach(key -> line(head, api.keyHeader(), key));
        call.headers().forEach(header -> line(head, header.name(), header.value()));
        line(head, "Content-Length", Integer.toString(body.length));
        line(head, "Connection", "close");
        var all = new ByteArrayOutputStream();
        // One byte per character, so that headers can contain any byte.
        all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        all.write(body, 0, bodyBytes);
        socket.getOutputStream().write(all.toByteArray());
        socket.getOutputStream().flush();
    }

    void send(VerifyRequest call) throws IOException {
        send(call, call.body().getBytes(StandardCharsets.UTF_8).length);
    }

    private static void line(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    /** Reads the status line and leaves the rest unread. */
    VerifyResponse status() throws IOException {
        var line = new StringBuilder();
        var in = socket.getInputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() > STATUS_LINE_LIMIT) {
                throw new IOException("connection closed without a status line");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        var status = STATUS_LINE.matcher(line);
        if (!status.matches()) {
            throw new IOException("not an HTTP status line: " + line);
        }
        return new VerifyResponse(
                Integer.parseInt(status.group(1)),
                Map.of(),
                new byte[0],
                Duration.ofNanos(System.nanoTime() - startedAt));
    }

    /** Resets the connection: data in transit is lost. */
    void hangUp() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
