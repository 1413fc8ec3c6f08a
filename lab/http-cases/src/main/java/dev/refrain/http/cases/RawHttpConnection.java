package dev.refrain.http.cases;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Connection to an edge, without any HTTP library in between. */
public final class RawHttpConnection implements AutoCloseable {

    private static final int PATIENCE_MS = 60_000;

    private final Socket socket;

    public RawHttpConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MS);
        socket.setTcpNoDelay(true);
    }

    public void send(RawHttpRequest request) throws IOException {
        write(request.head());
        write(request.content());
    }

    public void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Resets the connection: data on its way is lost. */
    public void hangUp() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Returns whether nothing arrives within this time. */
    public boolean isSilentFor(int milliseconds) throws IOException {
        socket.setSoTimeout(milliseconds);
        try {
            int first = socket.getInputStream().read();
            throw new AssertionError("Something came: " + first);
        } catch (java.net.SocketTimeoutException nothing) {
            return true;
        } finally {
            socket.setSoTimeout(PATIENCE_MS);
        }
    }

    public RawHttpResponse receive() throws IOException {
        var in = socket.getInputStream();
        var head = head(in);
        return head.status() < 200
                ? head
                : new RawHttpResponse(head.status(), head.headers(), body(in, head.status(), head.headers()));
    }

    /** Receives the answer to a HEAD request: whatever follows its headers until the connection ends is its body. */
    public RawHttpResponse receiveWithoutBody() throws IOException {
        var in = socket.getInputStream();
        var head = head(in);
        return new RawHttpResponse(
                head.status(), head.headers(), new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
    }

    private static RawHttpResponse head(InputStream in) throws IOException {
        String statusLine = line(in);
        int status = Integer.parseInt(statusLine.split(" ", 3)[1]);
        var headers = new ArrayList<Map.Entry<String, String>>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.add(Map.entry(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        return new RawHttpResponse(status, headers, "");
    }

    private static String body(InputStream in, int status, List<Map.Entry<String, String>> headers) throws IOException {
        var bare = new RawHttpResponse(status, headers, "");
        if (status == 204 || status == 304) {
            return "";
        }
        byte[] bytes;
        if (bare.header("Transfer-Encoding").filter("chunked"::equalsIgnoreCase).isPresent()) {
            bytes = chunks(in);
        } else if (bare.header("Content-Length").isPresent()) {
            int length = Integer.parseInt(bare.header("Content-Length").get());
            bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new EOFException(bytes.length + " of " + length + " bytes came.");
            }
        } else {
            bytes = in.readAllBytes();
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        var whole = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
            whole.writeBytes(in.readNBytes(size));
            line(in);
        }
        return whole.toByteArray();
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("The connection ended after: " + line);
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
