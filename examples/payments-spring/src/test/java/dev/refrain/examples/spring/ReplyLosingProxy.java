package dev.refrain.examples.spring;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A line to a server that loses the answers of the first connections: the server has worked, and the client hears nothing. */
final class ReplyLosingProxy implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger toLose;

    ReplyLosingProxy(int server, int losing) throws IOException {
        toLose = new AtomicInteger(losing);
        Thread.startVirtualThread(() -> {
            while (!listening.isClosed()) {
                try {
                    var client = listening.accept();
                    Thread.startVirtualThread(() -> serve(client, server));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    int port() {
        return listening.getLocalPort();
    }

    private void serve(Socket client, int server) {
        try (client;
                var behind = new Socket(InetAddress.getLoopbackAddress(), server)) {
            Thread.startVirtualThread(() -> pump(client, behind));
            InputStream answers = behind.getInputStream();
            byte[] bytes = new byte[8192];
            for (int count = answers.read(bytes); count >= 0; count = answers.read(bytes)) {
                if (toLose.getAndDecrement() > 0) {
                    // Nothing comes, and nothing says that nothing will.
                    continue;
                }
                client.getOutputStream().write(bytes, 0, count);
            }
        } catch (IOException gone) {
            // As lines are.
        }
    }

    private static void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException gone) {
            // As lines are.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
