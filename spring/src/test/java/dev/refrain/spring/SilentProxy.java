package dev.refrain.spring;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A network between an application and its database that can fall silent: connections stay open, and nothing passes. */
final class SilentProxy implements AutoCloseable {

    private final String database;
    private final int port;
    private final ServerSocket listening;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    SilentProxy(String url) throws IOException {
        database = url;
        port = URI.create(url.substring("jdbc:".length())).getPort();
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Returns the URL of the same database through here. */
    String url() {
        return database.replaceFirst("//[^/]+/", "//127.0.0.1:" + listening.getLocalPort() + "/");
    }

    void fallSilent() {
        silent = true;
    }

    /** Ends the connections that were silent; new ones work. */
    void speak() {
        silent = false;
        closeAll();
    }

    private void accept() {
        try {
            while (true) {
                var client = listening.accept();
                sockets.add(client);
                if (!silent) {
                    var server = new Socket(InetAddress.getLoopbackAddress(), port);
                    sockets.add(server);
                    Thread.ofVirtual().start(() -> pass(client, server));
                    Thread.ofVirtual().start(() -> pass(server, client));
                }
            }
        } catch (IOException closed) {
            closeAll();
        }
    }

    private void pass(Socket from, Socket to) {
        var piece = new byte[1 << 13];
        try {
            for (int read = from.getInputStream().read(piece);
                    read >= 0;
                    read = from.getInputStream().read(piece)) {
                if (!silent) {
                    to.getOutputStream().write(piece, 0, read);
                }
            }
            to.close();
        } catch (IOException ended) {
            closeQuietly(to);
        }
    }

    private void closeAll() {
        sockets.forEach(SilentProxy::closeQuietly);
        sockets.clear();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException closed) {
            // It is gone either way.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        closeAll();
    }
}
