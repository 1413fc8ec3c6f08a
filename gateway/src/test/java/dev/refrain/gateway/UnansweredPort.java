package dev.refrain.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port at which nobody answers, and which nobody else is given until it is closed. */
final class UnansweredPort implements AutoCloseable {

    private final Socket bound = new Socket();

    UnansweredPort() throws IOException {
        bound.setReuseAddress(true);
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    int number() {
        return bound.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
