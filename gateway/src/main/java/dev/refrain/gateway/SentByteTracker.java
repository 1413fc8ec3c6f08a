package dev.refrain.gateway;

import java.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a byte of a request may have left this machine: no byte was handed to its connection, or its TLS handshake never ended.
 * What cannot be told counts as sent. Thread-safe.
 */
final class SentByteTracker implements Connection.Listener {

    private static final String NO_CIPHER = "SSL_NULL_WITH_NULL_NULL";

    private final Map<ConnectionAddresses, Connection> open = new ConcurrentHashMap<>();

    /** The same the other way round: a closed connection does not say its addresses any more. */
    private final Map<Connection, ConnectionAddresses> addresses = new ConcurrentHashMap<>();

    /** Both ends of a connection, by which the client and its network layer know the same one. */
    private record ConnectionAddresses(SocketAddress local, SocketAddress remote) {
        static Optional<ConnectionAddresses> of(@Nullable SocketAddress local, @Nullable SocketAddress remote) {
            return local == null || remote == null
                    ? Optional.empty()
                    : Optional.of(new ConnectionAddresses(local, remote));
        }
    }

    /** Connection of a request with the bytes that had been written to it before. */
    record SendMark(Optional<Connection> connection, long bytesBefore) {

        /** Returns false only if it is certain that no byte of the request was sent. */
        boolean mayHaveSent() {
            return connection
                    .map(used -> used.getBytesOut() != bytesBefore && !isShakingHands(used))
                    .orElse(true);
        }

        private static boolean isShakingHands(Connection used) {
            return used.getEndPoint() instanceof SslConnection.SslEndPoint secured
                    && secured.getSslConnection()
                            .getSSLEngine()
                            .getSession()
                            .getCipherSuite()
                            .equals(NO_CIPHER);
        }
    }

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof SslConnection)) {
            var endPoint = connection.getEndPoint();
            ConnectionAddresses.of(endPoint.getLocalSocketAddress(), endPoint.getRemoteSocketAddress())
                    .ifPresent(ends -> {
                        addresses.put(connection, ends);
                        open.put(ends, connection);
                    });
        }
    }

    @Override
    public void onClosed(Connection connection) {
        var ends = addresses.remove(connection);
        if (ends != null) {
            open.remove(ends, connection);
        }
    }

    /** Marks the connection that is about to send a request. */
    SendMark mark(org.eclipse.jetty.client.@Nullable Connection sending) {
        var used = Optional.ofNullable(sending)
                .flatMap(connection ->
                        ConnectionAddresses.of(connection.getLocalSocketAddress(), connection.getRemoteSocketAddress()))
                .flatMap(ends -> Optional.ofNullable(open.get(ends)))
                .filter(connection -> connection.getBytesOut() >= 0
                        && connection.getEndPoint().isOpen());
        return new SendMark(used, used.map(Connection::getBytesOut).orElse(0L));
    }
}
