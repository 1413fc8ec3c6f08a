package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.junit.jupiter.api.Test;

class AddressConnectionLimitTest {

    private static final int MAX = 5;
    private static final int OF_ADDRESS = 4;

    private final AddressConnectionLimit limit = new AddressConnectionLimit(MAX);
    private final List<Network> all = new ArrayList<>();

    /** End of a connection whose silence the test decides. */
    private static final class Network extends SocketChannelEndPoint {
        private final long silent;
        private final Runnable asked;
        private volatile boolean closed;

        Network(long silent, Runnable asked) throws IOException {
            super(SocketChannel.open(), null, null, null);
            this.silent = silent;
            this.asked = asked;
        }

        @Override
        public SocketAddress getRemoteSocketAddress() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }

        @Override
        public long getIdleFor() {
            asked.run();
            return silent;
        }

        @Override
        public void doClose() {
            closed = true;
        }
    }

    private Connection connection(long silent, Runnable asked) throws IOException {
        var network = new Network(silent, asked);
        all.add(network);
        return new AbstractConnection(network, Runnable::run) {
            @Override
            public void onFillable() {}
        };
    }

    private long open() {
        return all.stream().filter(network -> !network.closed).count();
    }

    @Test
    void connectionsThatOpenAtOnceReplaceOneEach() throws Exception {
        // Both have seen the one that is silent for longest before either closes it.
        var seen = new CyclicBarrier(2);
        limit.onOpened(connection(1_000, () -> await(seen)));
        for (int i = 1; i < OF_ADDRESS; i++) {
            limit.onOpened(connection(i, () -> {}));
        }
        var late = List.of(connection(0, () -> {}), connection(0, () -> {}));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var openings = new ArrayList<Future<?>>();
            for (var connection : late) {
                openings.add(threads.submit(() -> limit.onOpened(connection)));
            }
            for (var opening : openings) {
                opening.get(1, TimeUnit.MINUTES);
            }
        }

        assertThat(open()).isEqualTo(OF_ADDRESS);
        assertThat(all.getFirst().closed).isTrue();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(1, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void newestConnectionStaysAndAsManyAsMayBe() throws Exception {
        for (int i = 0; i < 3 * OF_ADDRESS; i++) {
            limit.onOpened(connection(i, () -> {}));
        }

        assertThat(open()).isEqualTo(OF_ADDRESS);
        assertThat(all.getLast().closed).isFalse();
    }
}
