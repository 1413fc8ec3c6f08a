package dev.refrain.store.redis;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection, for one kind of work, so that large answers of one kind do not stand before the others. Sends the scripts of a batch at once and
 * waits for all answers, for the reply timeout at the most.
 *
 * <p>Thread-safe. Its connection closes with the client.
 */
final class RedisScriptConnection {

    private static final Duration CONNECT_AGAIN_AFTER = Duration.ofMillis(100);

    private final RedisLink link;
    private final Duration timeout;
    private final ReplicaWait replicas;
    private final byte[] waitMarker;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable StatefulConnection<byte[], byte[]> connection;
    private long refusedUntil = System.nanoTime();

    RedisScriptConnection(RedisLink link, Duration timeout, ReplicaWait replicas, byte[] waitMarker) {
        this.link = link;
        this.timeout = timeout;
        this.replicas = replicas;
        this.waitMarker = waitMarker;
    }

    /** Calls one script; its failure is thrown. */
    ScriptReply call(String doing, ScriptCall call) {
        return callAll(doing, List.of(call)).getFirst().orThrow();
    }

    /** Calls scripts and returns one reply each, in their order. Throws if none was answered. */
    List<ScriptReply> callAll(String doing, List<ScriptCall> calls) {
        if (calls.isEmpty()) {
            return List.of();
        }
        var open = open(doing);
        long deadline = System.nanoTime() + timeout.toNanos();
        var replies = send(doing, open, calls, deadline);
        throwIfNoneWasAnswered(replies);
        return replies;
    }

    /** Connects, if that has not been done yet. */
    void requireOpen(String doing) {
        var unused = open(doing);
    }

    /** Asks the servers about themselves. */
    ServerCheck readServers(String doing) {
        var open = open(doing);
        try {
            return ServerCheck.readReachable(link, open);
        } catch (RedisException | CancellationException e) {
            throw RedisErrors.notConnected(doing, link.address(), e);
        }
    }

    private List<ScriptReply> send(
            String doing, StatefulConnection<byte[], byte[]> open, List<ScriptCall> calls, long deadline) {
        var sent = new ArrayList<AsyncCommand<byte[], byte[], List<Object>>>();
        calls.forEach(
                call -> sent.add(command(CommandType.EVALSHA, call.script().digest(), call)));
        var waiting = replicas.isOn() ? waitCommand() : null;
        dispatch(doing, open, sent, waiting);
        var replies = new ArrayList<ScriptReply>();
        for (int i = 0; i < sent.size(); i++) {
            replies.add(reply(doing, open, sent.get(i), deadline));
        }
        var begun = List.copyOf(replies);
        evaluateUnknown(doing, open, calls, replies, sent, deadline);
        requireReplicas(doing, open, begun, waiting, deadline);
        return replies;
    }

    private static boolean mayHaveRun(ScriptReply reply) {
        return reply.failure() == null || reply.failure().effect() == Effect.UNKNOWN;
    }

    /** A server that was restarted, or whose scripts were flushed, knows none: nothing of such a call happened, and it gets the text. */
    private void evaluateUnknown(
            String doing,
            StatefulConnection<byte[], byte[]> open,
            List<ScriptCall> calls,
            List<ScriptReply> replies,
            List<AsyncCommand<byte[], byte[], List<Object>>> sent,
            long deadline) {
        var again = new ArrayList<Integer>();
        for (int i = 0; i < sent.size(); i++) {
            var failure = failureOf(sent.get(i));
            if (failure != null && RedisErrors.isUnknownScript(failure)) {
                again.add(i);
            }
        }
        if (again.isEmpty()) {
            return;
        }
        var evaluated = again.stream()
                .map(i -> command(CommandType.EVAL, calls.get(i).script().text(), calls.get(i)))
                .toList();
        var waiting = replicas.isOn() ? waitCommand() : null;
        dispatch(doing, open, evaluated, waiting);
        for (int i = 0; i < again.size(); i++) {
            replies.set(again.get(i), reply(doing, open, evaluated.get(i), deadline));
        }
        requireReplicas(
                doing, open, again.stream().map(replies::get).toList(), waiting, deadline);
    }

    private static @Nullable Throwable failureOf(AsyncCommand<?, ?, ?> command) {
        return command.isCompletedExceptionally() && !command.isCancelled() ? command.exceptionNow() : null;
    }

    private void dispatch(
            String doing,
            StatefulConnection<byte[], byte[]> open,
            List<AsyncCommand<byte[], byte[], List<Object>>> commands,
            @Nullable AsyncCommand<byte[], byte[], List<Object>> waiting) {
        var all = new ArrayList<AsyncCommand<byte[], byte[], ?>>(commands);
        if (waiting != null) {
            all.add(new AsyncCommand<>(new Command<>(
                    CommandType.SET,
                    new StatusOutput<>(ByteArrayCodec.INSTANCE),
                    new CommandArgs<>(ByteArrayCodec.INSTANCE)
                            .addKey(waitMarker)
                            .add(1))));
            all.add(waiting);
        }
        try {
            link.dispatch(open, all);
        } catch (RedisException e) {
            // Some of them may have been handed over.
            throw RedisErrors.translate(doing, link.address(), e);
        }
    }

    private static AsyncCommand<byte[], byte[], List<Object>> command(
            CommandType type, byte[] script, ScriptCall call) {
        var arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(script)
                .add(call.keys().size())
                .addKeys(call.keys());
        call.arguments().forEach(arguments::add);
        CommandOutput<byte[], byte[], List<Object>> output = new NestedMultiOutput<>(ByteArrayCodec.INSTANCE);
        return new AsyncCommand<>(new Command<>(type, output, arguments));
    }

    private AsyncCommand<byte[], byte[], List<Object>> waitCommand() {
        var arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        if (replicas.synced()) {
            arguments.add(1);
        }
        arguments.add(replicas.count()).add(replicas.timeout().toMillis());
        CommandOutput<byte[], byte[], List<Object>> output = new NestedMultiOutput<>(ByteArrayCodec.INSTANCE);
        return new AsyncCommand<>(
                new Command<>(replicas.synced() ? WaitAofKeyword.WAITAOF : CommandType.WAIT, output, arguments));
    }

    private ScriptReply reply(
            String doing,
            StatefulConnection<byte[], byte[]> open,
            AsyncCommand<byte[], byte[], List<Object>> command,
            long deadline) {
        try {
            return ScriptReply.of(command.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            var cause = e.getCause() == null ? e : e.getCause();
            return ScriptReply.failed(RedisErrors.translate(doing, link.address(), cause));
        } catch (TimeoutException | CancellationException e) {
            // Whatever is under way on this connection must not arrive later than its asker waits.
            discard(open);
            return ScriptReply.failed(RedisErrors.unanswered(doing, link.address(), timeout.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ScriptReply.failed(StoreException.unavailable(
                    doing + " was interrupted before the answer of " + link.address() + " came.", Effect.UNKNOWN, e));
        }
    }

    /** Requires that what was begun has reached the replicas; where nothing was, there is nothing to wait for. */
    private void requireReplicas(
            String doing,
            StatefulConnection<byte[], byte[]> open,
            List<ScriptReply> replies,
            @Nullable AsyncCommand<byte[], byte[], List<Object>> waiting,
            long deadline) {
        if (waiting == null || replies.stream().noneMatch(RedisScriptConnection::mayHaveRun)) {
            return;
        }
        List<Object> reached;
        try {
            reached = waiting.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw RedisErrors.waitFailed(doing, link.address(), e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException | CancellationException e) {
            discard(open);
            throw RedisErrors.unanswered(doing, link.address(), timeout.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable(doing + " was interrupted.", Effect.UNKNOWN, e);
        }
        replicas.requireReached(doing, link.address(), reached);
    }

    private static void throwIfNoneWasAnswered(List<ScriptReply> replies) {
        StoreException worst = null;
        for (var reply : replies) {
            if (reply.failure() == null) {
                return;
            }
            if (worst == null || reply.failure().effect() == Effect.UNKNOWN) {
                worst = reply.failure();
            }
        }
        if (worst != null) {
            throw worst;
        }
    }

    private StatefulConnection<byte[], byte[]> open(String doing) {
        var current = connection;
        if (current == null) {
            current = connect(doing);
        }
        // That of a Cluster says only whether one of its nodes is there; each command finds out about its own.
        if (!link.isCluster() && !current.isOpen()) {
            throw RedisErrors.notConnected(
                    doing, link.address(), new IllegalStateException("the connection is being opened again"));
        }
        return current;
    }

    private StatefulConnection<byte[], byte[]> connect(String doing) {
        opening.lock();
        try {
            var current = connection;
            if (current != null) {
                return current;
            }
            // Those who waited here while it failed do not try one after the other.
            if (System.nanoTime() - refusedUntil < 0) {
                throw RedisErrors.notConnected(
                        doing, link.address(), new IllegalStateException("a moment ago it was not reachable"));
            }
            var opened = link.connect();
            connection = opened;
            return opened;
        } catch (RedisException e) {
            refusedUntil = System.nanoTime() + CONNECT_AGAIN_AFTER.toNanos();
            throw RedisErrors.notConnected(doing, link.address(), e);
        } finally {
            opening.unlock();
        }
    }

    private void discard(StatefulConnection<byte[], byte[]> silent) {
        opening.lock();
        try {
            if (silent.equals(connection)) {
                connection = null;
            }
        } finally {
            opening.unlock();
        }
        var unused = silent.closeAsync();
    }
}
