package dev.refrain.store.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connection to a server that may be slow or away: there while the server answers quickly, and absent otherwise, so that nobody waits for it.
 *
 * <p>One that kept a caller waiting is discarded by that caller. A thread of its own opens the next one after a pause, and offers it once it has
 * answered within the timeout. Thread-safe.
 */
final class ReplayConnection implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ReplayConnection.class.getName());
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);
    private static final int TRIES = 3;

    private final List<RedisURI> uris;
    private final Duration timeout;
    private final Consumer<Lane> prepare;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread opener;
    private volatile @Nullable Lane current;

    /**
     * Creates it, and begins to connect in the background.
     *
     * @param prepare called with each new connection before it is offered; throws a {@link RedisException} if it cannot be used
     */
    ReplayConnection(List<RedisURI> nodes, Duration timeout, Consumer<Lane> prepare) {
        this.uris = nodes.stream().map(RedisUrl::copy).toList();
        RedisUrl.within(uris, CONNECT_WITHIN);
        this.timeout = timeout;
        this.prepare = prepare;
        var link =
                uris.size() == 1 ? RedisLink.single(uris.getFirst(), CONNECT_WITHIN, SslOptions.create()) : cluster();
        this.opener = Thread.ofVirtual().name("refrain-replays").start(() -> keepOpen(link));
    }

    /** One open connection, and the bytes that are under way to the server on it. */
    static final class Lane {
        private final RedisLink link;
        private final StatefulConnection<byte[], byte[]> connection;
        private final CountDownLatch discarded = new CountDownLatch(1);
        private final AtomicLong bytesUnderWay = new AtomicLong();

        private Lane(RedisLink link, StatefulConnection<byte[], byte[]> connection) {
            this.link = link;
            this.connection = connection;
        }

        /** Hands commands over for sending; one that cannot be sent fails. */
        void send(List<AsyncCommand<byte[], byte[], ?>> commands) {
            try {
                link.dispatch(connection, commands);
            } catch (RuntimeException e) {
                commands.forEach(command -> command.completeExceptionally(e));
            }
        }

        /** Sends a command that nobody waits for, unless too much is under way. */
        void sendLater(AsyncCommand<byte[], byte[], ?> command, int bytes, int most) {
            if (bytesUnderWay.addAndGet(bytes) > most) {
                bytesUnderWay.addAndGet(-bytes);
                return;
            }
            var unused = command.whenComplete((answer, failure) -> bytesUnderWay.addAndGet(-bytes));
            send(List.of(command));
        }

        private void discard() {
            discarded.countDown();
            var unused = connection.closeAsync();
        }
    }

    /**
     * Returns the open connection; empty while there is none, and one that was lost is opened again from here on. That of a Cluster says only whether one of its nodes
     * is there; each command finds out about its own.
     */
    Optional<Lane> current() {
        var lane = current;
        if (lane != null && !lane.link.isCluster() && !lane.connection.isOpen()) {
            discard(lane);
            return Optional.empty();
        }
        return Optional.ofNullable(lane);
    }

    /** Closes a connection on which an answer is overdue. */
    void discard(Lane slow) {
        if (slow.equals(current)) {
            current = null;
        }
        slow.discard();
    }

    private void keepOpen(RedisLink first) {
        var link = first;
        boolean checked = link.isCluster();
        boolean told = false;
        try {
            do {
                try {
                    if (!checked && ServerCheck.read(link).isCluster()) {
                        link.close();
                        link = cluster();
                    }
                    checked = true;
                    var lane = open(link);
                    current = lane;
                    if (isClosing()) {
                        discard(lane);
                    }
                    if (told) {
                        LOG.log(System.Logger.Level.INFO, link.address() + " replays outcomes again.");
                        told = false;
                    }
                    lane.discarded.await();
                } catch (RuntimeException e) {
                    if (!told && !isClosing()) {
                        LOG.log(
                                System.Logger.Level.WARNING,
                                link.address() + " replays no outcomes: "
                                        + innermost(e).getMessage() + ". The database answers all requests meanwhile.");
                        told = true;
                    }
                }
            } while (!closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            link.close();
        }
    }

    private RedisLink cluster() {
        return RedisLink.cluster(uris, CONNECT_WITHIN, SslOptions.create());
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private static Throwable innermost(Throwable failure) {
        var cause = failure;
        for (var next = cause.getCause(); next != null; next = next.getCause()) {
            cause = next;
        }
        return cause;
    }

    private Lane open(RedisLink link) throws InterruptedException {
        var lane = new Lane(link, link.connect());
        try {
            if (!isQuick(lane)) {
                throw new RedisException("it takes longer than " + timeout.toMillis() + " ms to answer");
            }
            prepare.accept(lane);
            return lane;
        } catch (RuntimeException | InterruptedException e) {
            lane.discard();
            throw e;
        }
    }

    /** The first answers of a process take longer than those that follow. */
    private boolean isQuick(Lane lane) throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            var ping = new AsyncCommand<>(
                    new Command<>(CommandType.PING, new StatusOutput<>(ByteArrayCodec.INSTANCE), arguments()));
            lane.send(List.of(ping));
            try {
                var unused = ping.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                // The next one is answered after this one.
            } catch (ExecutionException e) {
                throw new RedisException(e.getCause() == null ? e : e.getCause());
            }
        }
        return false;
    }

    static CommandArgs<byte[], byte[]> arguments() {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE);
    }

    @Override
    public void close() {
        closing.countDown();
        var lane = current;
        if (lane != null) {
            discard(lane);
        }
        try {
            var unused = opener.join(CLOSE_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
