package dev.refrain.servers;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TCP proxy between clients and a database, which can lose replies (the work is done, nobody hears of it), delay them, never answer again, or
 * stand still for a while. Thread-safe.
 */
public final class LossyProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final int database;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean losing;
    private volatile boolean silent;
    private volatile Duration delay = Duration.ZERO;
    private volatile CountDownLatch still = new CountDownLatch(0);

    public LossyProxy(int database) {
        this.database = database;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Returns the URL of the same database through the proxy. */
    public static String through(String url, LossyProxy proxy) {
        return url.replaceFirst("//[^/]+/", "//localhost:" + proxy.listening.getLocalPort() + "/");
    }

    /** Returns the port of a database's URL. */
    public static int port(String url) {
        return Integer.parseInt(url.replaceFirst("^.*//[^/:]+:(\\d+)/.*$", "$1"));
    }

    /** Loses the next reply, and its connection with it. */
    public void loseReplies() {
        losing = true;
    }

    /** Loses all replies from now on and keeps their connections open: nothing is ever heard. */
    public void fallSilent() {
        silent = true;
    }

    /** Lets each reply arrive this much later from now on. */
    public void delayReplies(Duration time) {
        delay = time;
    }

    /** Forwards nothing in either direction until it is healed; what was sent meanwhile arrives then. */
    public void standStill() {
        still = new CountDownLatch(1);
    }

    /** Ends all faults. */
    public void heal() {
        losing = false;
        silent = false;
        delay = Duration.ZERO;
        still.countDown();
    }

    /** Closes every connection, on both sides. */
    public void breakOff() {
        sockets.forEach(LossyProxy::close);
        sockets.clear();
    }

    /** Returns how often a client has sent something: the number of round trips. */
    public int sent() {
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
                still.await();
                if (replies && losing) {
                    return;
                }
                if (replies && silent) {
                    continue;
                }
                if (replies) {
                    Thread.sleep(delay);
                } else {
                    sent.incrementAndGet();
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // One side is gone; closing tells the other.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        still.countDown();
        close(listening);
        breakOff();
    }

    private static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
