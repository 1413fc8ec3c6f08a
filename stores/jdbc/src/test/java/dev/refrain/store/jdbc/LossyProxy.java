package dev.refrain.store.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and a database, and can lose what the database replies: the work is done, nobody hears of it.
 */
final class LossyProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final int database;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean losing;
    private volatile boolean silent;

    LossyProxy(int database) {
        this.database = database;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** The URL of the same database through here. */
    static String through(String url, LossyProxy proxy) {
        return url.replaceFirst("//[^/]+/", "//localhost:" + proxy.listening.getLocalPort() + "/");
    }

    static int port(String url) {
        return Integer.parseInt(url.replaceFirst("^.*//[^/:]+:(\\d+)/.*$", "$1"));
    }

    /** From now on the next reply is lost, and its connection with it. */
    void loseReplies() {
        losing = true;
    }

    /** From now on replies are lost and the connection stays open: nothing is ever heard. */
    void fallSilent() {
        silent = true;
    }

    void heal() {
        losing = false;
        silent = false;
    }

    /** How often a client has sent something: the number of round trips. */
    int sent() {
        return sent.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                var client = listening.accept();
                var server = new Socket(InetAddress.getLoopbackAddress(), database);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.addAll(List.of(client, server));
                Thread.ofVirtual().start(() -> pump(client, server, false));
                Thread.ofVirtual().start(() -> pump(server, client, true));
            } catch (IOException e) {
                // Closed, or the database is gone: the client finds out by itself.
            }
        }
    }

    private void pump(Socket from, Socket to, boolean replies) {
        var buffer = new byte[1 << 16];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (replies && losing) {
                    return;
                }
                if (replies && silent) {
                    continue;
                }
                if (!replies) {
                    sent.incrementAndGet();
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // One side is gone; closing tells the other.
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (var socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
