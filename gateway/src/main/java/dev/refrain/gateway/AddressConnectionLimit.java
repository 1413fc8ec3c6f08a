package dev.refrain.gateway;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/**
 * Bounds the connections of one address by four fifths of all that there may be. As with the memory for bodies, a load balancer's address may
 * have most of them, and one that takes all it can get leaves a fifth to the others. Beyond its share a new connection of an address replaces that
 * one of its connections which was silent for longest and has no request under way. Thread-safe.
 */
final class AddressConnectionLimit implements Connection.Listener, HttpConfiguration.Customizer {

    private final int maxOfAddress;
    private final Map<EndPoint, AddressedConnection> connections = new ConcurrentHashMap<>();
    private final Map<String, Set<AddressedConnection>> byAddress = new ConcurrentHashMap<>();

    /** @param maxConnections how many connections there may be of all addresses */
    AddressConnectionLimit(int maxConnections) {
        this.maxOfAddress = maxConnections - maxConnections / 5;
    }

    /** Connection of the network with the number of its requests; its address is kept, because a closed one does not say it any more. */
    private record AddressedConnection(SocketChannelEndPoint endPoint, String address, AtomicInteger underWay) {}

    @Override
    public void onOpened(Connection connection) {
        // Over TLS a second connection lies on top of that of the network.
        if (connection.getEndPoint() instanceof SocketChannelEndPoint network
                && network.getRemoteSocketAddress() instanceof InetSocketAddress peer) {
            var opened = new AddressedConnection(network, peer.getAddress().getHostAddress(), new AtomicInteger());
            connections.put(network, opened);
            var ofAddress = byAddress.compute(opened.address(), (address, others) -> {
                var all = others == null ? ConcurrentHashMap.<AddressedConnection>newKeySet() : others;
                all.add(opened);
                return all;
            });
            while (ofAddress.size() > maxOfAddress && !replaceSilent(opened, ofAddress)) {
                // Another thread has replaced that one.
            }
        }
    }

    /** Closes the connection that was silent for longest; returns whether this call did that, so that its place counts once. */
    private static boolean replaceSilent(AddressedConnection opened, Set<AddressedConnection> ofAddress) {
        var replaced = opened;
        long longest = -1;
        for (var other : ofAddress) {
            long silent = other.endPoint().getIdleFor();
            if (!other.equals(opened) && other.underWay().get() == 0 && silent > longest) {
                replaced = other;
                longest = silent;
            }
        }
        boolean removed = ofAddress.remove(replaced);
        replaced.endPoint().close();
        return removed || replaced.equals(opened);
    }

    @Override
    public void onClosed(Connection connection) {
        var closed = connections.get(connection.getEndPoint());
        // Another protocol may have taken over the end point, with a connection of its own.
        if (closed != null && connections.remove(connection.getEndPoint(), closed)) {
            byAddress.computeIfPresent(closed.address(), (address, all) -> {
                all.remove(closed);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** Counts a request of its connection, until its answer is sent. */
    @Override
    public Request customize(Request request, HttpFields.Mutable answered) {
        var used = connections.get(
                network(request.getConnectionMetaData().getConnection().getEndPoint()));
        if (used != null) {
            used.underWay().incrementAndGet();
            Request.addCompletionListener(request, failure -> used.underWay().decrementAndGet());
        }
        return request;
    }

    private static EndPoint network(EndPoint endPoint) {
        return endPoint instanceof SslConnection.SslEndPoint secured
                ? secured.getSslConnection().getEndPoint()
                : endPoint;
    }
}
