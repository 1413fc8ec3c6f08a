package dev.refrain.http.client;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** Server on plain sockets that applies one scripted action to each request, and the last one to all further requests. */
final class ScriptedHttpServer implements Closeable {

    /** Action after a request was read. */
    interface RequestAction {
        void handle(Socket socket) throws IOException;
    }

    record RecordedRequest(String head, String body) {

        List<String> headers(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .toList();
        }

        /** Key header as sent, including quotes. */
        String key() {
            return headers("Idempotency-Key").getFirst();
        }
    }

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final BlockingQueue<RequestAction> fates = new LinkedBlockingQueue<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    final BlockingQueue<RecordedRequest> seen = new LinkedBlockingQueue<>();
    final List<Throwable> troubles = new CopyOnWriteArrayList<>();
    private final Runnable onConnect;

    ScriptedHttpServer(RequestAction... fates) throws IOException {
        this(() -> {}, fates);
    }

    /** @param onConnect runs before a request is read */
    ScriptedHttpServer(Runnable onConnect, RequestAction... fates) throws IOException {
        this.onConnect = onConnect;
        this.fates.addAll(List.of(fates));
        Thread.ofVirtual().start(this::accept);
    }

    static RequestAction answer(int status, String body, String... headers) {
        return socket -> {
            write(socket, whole(status, body, headers));
            socket.close();
        };
    }

    static RequestAction problem(int status, String members, String... headers) {
        var all = new ArrayList<>(List.of(headers));
        all.add("Content-Type: application/problem+json");
        return answer(status, "{" + members + "}", all.toArray(String[]::new));
    }

    /** Breaks the connection after the work is done. */
    static RequestAction hangUp() {
        return Socket::close;
    }

    static RequestAction silence() {
        return socket -> {};
    }

    static RequestAction halfAnswer() {
        return socket -> {
            write(socket, half());
            socket.close();
        };
    }

    /** Sends half a response and keeps the connection open. */
    static RequestAction halfAnswerThenSilence() {
        return socket -> write(socket, half());
    }

    private static String half() {
        var whole = whole(201, "0123456789");
        return whole.substring(0, whole.length() - 5);
    }

    private static String whole(int status, String body, String... headers) {
        var text = new StringBuilder(
                "HTTP/1.1 " + status + " Told\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n");
        for (var header : headers) {
            text.append(header).append("\r\n");
        }
        return text.append("\r\n").append(body).toString();
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/payments");
    }

    List<String> keys() {
        return seen.stream().map(RecordedRequest::key).toList();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try {
            onConnect.run();
            var in = new BufferedInputStream(socket.getInputStream());
            var request = read(in);
            var fate = fates.size() > 1 ? fates.take() : fates.element();
            seen.add(request);
            fate.handle(socket);
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            troubles.add(e);
        }
    }

    private static RecordedRequest read(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                throw new IOException("the client went away after: " + head);
            }
            head.append((char) c);
        }
        var text = head.toString();
        var length = new RecordedRequest(text, "").headers("Content-Length");
        var body = length.isEmpty() ? new byte[0] : in.readNBytes(Integer.parseInt(length.getFirst()));
        return new RecordedRequest(text, new String(body, StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (var socket : open) {
            socket.close();
        }
    }
}
