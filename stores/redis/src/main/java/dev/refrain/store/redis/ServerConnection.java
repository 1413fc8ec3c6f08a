package dev.refrain.store.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Connection to one server, opened when it is used. One that was lost or is silent is closed and never used again, so that nothing is sent twice by itself.
 *
 * <p>A caller waits for the first attempt to open it. After a failure attempts go on in the background, one at a time, and callers are told at
 * once that the server is away, until one has succeeded: a server that does not answer delays nobody who also asks others. Thread-safe.
 */
final class ServerConnection {

    private static final Duration AGAIN_AFTER = Duration.ofMillis(100);

    private final RedisLink link;
    private final RedisURI server;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> attempt;
    private @Nullable Throwable failure;
    private long notBefore = System.nanoTime();

    ServerConnection(RedisLink link, RedisURI server, Duration timeout) {
        this.link = link;
        this.server = server;
        this.timeout = timeout;
    }

    RedisURI server() {
        return server;
    }

    String address() {
        return RedisLink.address(server);
    }

    /** Begins to open it, unless it is open or that was just tried; returns the attempt that is under way. */
    @Nullable
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> begin() {
        lock.lock();
        try {
            if (isOpen() || attempt != null || System.nanoTime() - notBefore < 0) {
                return attempt;
            }
            notBefore = System.nanoTime() + AGAIN_AFTER.toNanos();
            closeLost();
            var begun = link.connectTo(server);
            attempt = begun;
            var unused = begun.whenComplete(this::ended);
            return attempt;
        } finally {
            lock.unlock();
        }
    }

    private void closeLost() {
        if (connection != null) {
            var unused = connection.closeAsync();
            connection = null;
        }
    }

    private void ended(@Nullable StatefulRedisConnection<byte[], byte[]> opened, @Nullable Throwable why) {
        lock.lock();
        try {
            attempt = null;
            failure = why;
            connection = opened;
        } finally {
            lock.unlock();
        }
        if (why != null) {
            link.findServersAgain();
        }
    }

    private boolean isOpen() {
        return connection != null && connection.isOpen();
    }

    /**
     * Returns the open connection.
     *
     * @throws dev.refrain.store.StoreException if there is none; nothing was sent
     */
    StatefulRedisConnection<byte[], byte[]> require(String doing) {
        var begun = begin();
        Throwable why;
        lock.lock();
        try {
            if (connection != null && connection.isOpen()) {
                return connection;
            }
            why = failure;
        } finally {
            lock.unlock();
        }
        if (begun == null || why != null) {
            throw RedisErrors.notConnected(
                    doing, address(), why == null ? new IllegalStateException("the connection was lost") : why);
        }
        try {
            return begun.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw RedisErrors.notConnected(doing, address(), e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            fail(e);
            throw RedisErrors.notConnected(doing, address(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RedisErrors.notConnected(doing, address(), e);
        }
    }

    /** Closes a connection on which an answer is overdue: whatever is under way on it must not arrive later than its asker waits. */
    void discard(StatefulRedisConnection<byte[], byte[]> silent) {
        lock.lock();
        try {
            if (silent.equals(connection)) {
                connection = null;
                failure = new RedisException("it did not answer in time");
            }
        } finally {
            lock.unlock();
        }
        var unused = silent.closeAsync();
        link.findServersAgain();
    }

    private void fail(Throwable why) {
        lock.lock();
        try {
            if (!isOpen()) {
                failure = why;
            }
        } finally {
            lock.unlock();
        }
    }
}
