package dev.refrain.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Tunnel between client and upstream after an upgrade: copies bytes in both directions until one side closes. */
final class WebSocketTunnel extends AbstractConnection implements Connection.UpgradeTo {

    private static final int BUFFER_BYTES = 16 << 10;

    private final Socket service;
    private final InputStream fromService;
    private final byte[] clientBytes = new byte[BUFFER_BYTES];
    private @Nullable ByteBuffer first;

    /** @param fromService what the service says, from the end of its answer on */
    WebSocketTunnel(EndPoint client, Executor executor, Socket service, InputStream fromService, Duration idle) {
        super(client, executor);
        this.service = service;
        this.fromService = fromService;
        client.setIdleTimeout(idle.toMillis());
    }

    /** Takes the bytes that the client sent directly after its request. */
    @Override
    public void onUpgradeTo(ByteBuffer buffer) {
        first = buffer;
    }

    @Override
    public void onOpen() {
        super.onOpen();
        Thread.ofVirtual().name("gateway-upgraded").start(this::toClient);
        var sent = first;
        first = null;
        try {
            if (sent != null) {
                toService(sent);
            }
            fillInterested();
        } catch (IOException gone) {
            close();
        }
    }

    @Override
    public void onFillable() {
        try {
            var buffer = ByteBuffer.wrap(clientBytes);
            while (true) {
                buffer.clear().flip();
                int read = getEndPoint().fill(buffer);
                if (read < 0) {
                    close();
                    return;
                }
                if (read == 0) {
                    fillInterested();
                    return;
                }
                toService(buffer);
            }
        } catch (IOException gone) {
            close();
        }
    }

    private void toService(ByteBuffer buffer) throws IOException {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        service.getOutputStream().write(bytes);
        service.getOutputStream().flush();
    }

    private void toClient() {
        byte[] bytes = new byte[BUFFER_BYTES];
        try {
            for (int read = fromService.read(bytes); read >= 0; read = fromService.read(bytes)) {
                var written = new Callback.Completable();
                getEndPoint().write(written, ByteBuffer.wrap(bytes, 0, read));
                written.join();
            }
        } catch (IOException | RuntimeException gone) {
            // Told by the end of the connection.
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException closedAnyway) {
            // There is nothing left to lose.
        }
        super.close();
    }
}
