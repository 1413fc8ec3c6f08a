package dev.refrain.store.redis;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Scripts that are called together, each on the server of its keys, and their replies. A server that fails fails its own calls. Not thread-safe. */
final class ScriptBatch {

    private final String doing;
    private final Duration timeout;
    private final ReplicaWait replicas;
    private final byte[] waitMarker;
    private final List<ScriptCall> calls;
    private final Map<Integer, ScriptReply> replies = new HashMap<>();

    ScriptBatch(String doing, Duration timeout, ReplicaWait replicas, byte[] waitMarker, List<ScriptCall> calls) {
        this.doing = doing;
        this.timeout = timeout;
        this.replicas = replicas;
        this.waitMarker = waitMarker;
        this.calls = calls;
    }

    /**
     * One try of a call.
     *
     * @param call its number
     * @param type by its digest or its text
     */
    record Attempt(int call, CommandType type) {}

    /** One command that was sent. */
    record Sent(
            ServerConnection server,
            StatefulRedisConnection<byte[], byte[]> open,
            AsyncCommand<byte[], byte[], List<Object>> command) {

        /** Returns what the server answered instead of a result. */
        Optional<Throwable> failure() {
            return command.isCompletedExceptionally() && !command.isCancelled()
                    ? Optional.of(command.exceptionNow())
                    : Optional.empty();
        }
    }

    /** Returns the reply of each call, in their order. */
    List<ScriptReply> replies() {
        return IntStream.range(0, calls.size())
                .mapToObj(call -> Objects.requireNonNull(replies.get(call), "A call has no reply."))
                .toList();
    }

    void fail(int call, StoreException failure) {
        replies.put(call, ScriptReply.failed(failure));
    }

    private void fail(List<Attempt> attempts, StoreException failure) {
        attempts.forEach(attempt -> fail(attempt.call(), failure));
    }

    /** Sends attempts to their servers, waits for the answers, and returns what was sent. */
    Map<Attempt, Sent> send(Map<ServerConnection, List<Attempt>> attempts, Optional<EvictionGuard> guard) {
        var open = opened(attempts);
        guard.ifPresent(each -> requireNoEviction(each, attempts, open));
        long deadline = System.nanoTime() + timeout.toNanos();
        var sent = new LinkedHashMap<Attempt, Sent>();
        var waits = new LinkedHashMap<ServerConnection, Sent>();
        open.forEach((server, connection) -> {
            var mine = attempts.get(server);
            if (mine != null) {
                dispatch(server, connection, mine, sent, waits);
            }
        });
        sent.forEach((attempt, each) -> replies.put(attempt.call(), reply(each, deadline)));
        waits.forEach((server, wait) -> requireReplicas(attempts.getOrDefault(server, List.of()), wait, deadline));
        return sent;
    }

    private Map<ServerConnection, StatefulRedisConnection<byte[], byte[]>> opened(
            Map<ServerConnection, List<Attempt>> attempts) {
        for (var server : attempts.keySet()) {
            var unused = server.begin();
        }
        var open = new LinkedHashMap<ServerConnection, StatefulRedisConnection<byte[], byte[]>>();
        attempts.forEach((server, mine) -> {
            try {
                open.put(server, server.require(doing));
            } catch (StoreException away) {
                fail(mine, away);
            }
        });
        return open;
    }

    /** Asks all of them at once, before the scripts: one that is silent costs the others this wait, and only as long as its connection is new. */
    private void requireNoEviction(
            EvictionGuard guard,
            Map<ServerConnection, List<Attempt>> attempts,
            Map<ServerConnection, StatefulRedisConnection<byte[], byte[]>> open) {
        long deadline = System.nanoTime() + timeout.toNanos();
        var asked = new LinkedHashMap<ServerConnection, AsyncCommand<byte[], byte[], byte[]>>();
        open.forEach((server, connection) -> guard.ask(server, connection).ifPresent(question -> {
            var unused = asked.put(server, question);
        }));
        asked.forEach((server, question) -> {
            var connection = open.get(server);
            if (connection == null) {
                return;
            }
            try {
                guard.requireNoEviction(server, connection, answer(server, connection, question, deadline));
            } catch (StoreException refusal) {
                open.remove(server);
                fail(attempts.getOrDefault(server, List.of()), refusal);
            }
        });
    }

    private byte[] answer(
            ServerConnection server,
            StatefulRedisConnection<byte[], byte[]> open,
            AsyncCommand<byte[], byte[], byte[]> question,
            long deadline) {
        try {
            return question.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw RedisErrors.notConnected(doing, server.address(), e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException | CancellationException e) {
            server.discard(open);
            throw RedisErrors.notConnected(doing, server.address(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RedisErrors.notConnected(doing, server.address(), e);
        }
    }

    private void dispatch(
            ServerConnection server,
            StatefulRedisConnection<byte[], byte[]> open,
            List<Attempt> attempts,
            Map<Attempt, Sent> sent,
            Map<ServerConnection, Sent> waits) {
        var commands = new ArrayList<AsyncCommand<byte[], byte[], ?>>();
        for (var attempt : attempts) {
            var command = command(attempt.type(), calls.get(attempt.call()));
            commands.add(command);
            sent.put(attempt, new Sent(server, open, command));
        }
        if (replicas.isOn()) {
            commands.add(new AsyncCommand<>(new Command<>(
                    CommandType.SET,
                    new StatusOutput<>(ByteArrayCodec.INSTANCE),
                    new CommandArgs<>(ByteArrayCodec.INSTANCE)
                            .addKey(waitMarker)
                            .add(1))));
            var wait = waitCommand();
            commands.add(wait);
            waits.put(server, new Sent(server, open, wait));
        }
        try {
            var unused = open.dispatch(commands);
        } catch (RedisException e) {
            // Some of them may have been handed over.
            commands.forEach(command -> command.completeExceptionally(e));
        }
    }

    private static AsyncCommand<byte[], byte[], List<Object>> command(CommandType type, ScriptCall call) {
        var arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(
                        type == CommandType.EVAL
                                ? call.script().text()
                                : call.script().digest())
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

    private ScriptReply reply(Sent sent, long deadline) {
        String server = sent.server().address();
        try {
            return ScriptReply.of(sent.command().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            var cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof RedisCommandTimeoutException) {
                return unanswered(sent);
            }
            return ScriptReply.failed(RedisErrors.translate(doing, server, cause));
        } catch (TimeoutException | CancellationException e) {
            return unanswered(sent);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ScriptReply.failed(StoreException.unavailable(
                    doing + " was interrupted before the answer of " + server + " came.", Effect.UNKNOWN, e));
        }
    }

    private ScriptReply unanswered(Sent sent) {
        sent.server().discard(sent.open());
        return ScriptReply.failed(RedisErrors.unanswered(doing, sent.server().address(), timeout.toMillis()));
    }

    /** Requires that what was begun has reached the replicas; where nothing was, there is nothing to wait for. */
    private void requireReplicas(List<Attempt> attempts, Sent wait, long deadline) {
        if (attempts.stream().map(attempt -> replies.get(attempt.call())).noneMatch(ScriptBatch::mayHaveRun)) {
            return;
        }
        List<Object> reached;
        try {
            reached = wait.command().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw RedisErrors.waitFailed(doing, wait.server().address(), e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException | CancellationException e) {
            wait.server().discard(wait.open());
            throw RedisErrors.unanswered(doing, wait.server().address(), timeout.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.unavailable(doing + " was interrupted.", Effect.UNKNOWN, e);
        }
        replicas.requireReached(doing, wait.server().address(), reached);
    }

    private static boolean mayHaveRun(@Nullable ScriptReply reply) {
        return reply != null && (reply.failure() == null || reply.failure().effect() == Effect.UNKNOWN);
    }
}
