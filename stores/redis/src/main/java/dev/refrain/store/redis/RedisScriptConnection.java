package dev.refrain.store.redis;

import dev.refrain.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One connection for each server, for one kind of work, so that large answers of one kind do not stand before the others. Sends the scripts of a batch
 * at once and waits for all answers, for the reply timeout at the most.
 *
 * <p>Thread-safe. Its connections close with the client.
 */
final class RedisScriptConnection {

    private final RedisLink link;
    private final Duration timeout;
    private final ReplicaWait replicas;
    private final byte[] waitMarker;
    private final Map<String, ServerConnection> servers = new ConcurrentHashMap<>();

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
        return callAll(doing, calls, Optional.empty());
    }

    /** @param guard asks each server before it is sent scripts; the calls for one that it refuses fail */
    List<ScriptReply> callAll(String doing, List<ScriptCall> calls, Optional<EvictionGuard> guard) {
        if (calls.isEmpty()) {
            return List.of();
        }
        var batch = new ScriptBatch(doing, timeout, replicas, waitMarker, calls);
        var first = new LinkedHashMap<ServerConnection, List<ScriptBatch.Attempt>>();
        IntStream.range(0, calls.size()).forEach(call -> {
            try {
                var server = at(link.serverOf(calls.get(call).keys().getFirst()));
                first.computeIfAbsent(server, none -> new ArrayList<>())
                        .add(new ScriptBatch.Attempt(call, CommandType.EVALSHA));
            } catch (RedisException unknown) {
                batch.fail(call, RedisErrors.notConnected(doing, link.address(), unknown));
            }
        });
        var again = new LinkedHashMap<ServerConnection, List<ScriptBatch.Attempt>>();
        batch.send(first, guard)
                .forEach((attempt, sent) -> sent.failure()
                        .flatMap(failure -> redirected(attempt, sent.server(), failure))
                        .ifPresent(next -> again.computeIfAbsent(next.server(), none -> new ArrayList<>())
                                .add(next.attempt())));
        if (!again.isEmpty()) {
            var unused = batch.send(again, guard);
        }
        throwIfNoneWasAnswered(batch.replies());
        return batch.replies();
    }

    private record Redirection(ServerConnection server, ScriptBatch.Attempt attempt) {}

    /**
     * Returns where else a call goes of which nothing happened: with its text to a server that does not know it, or to the one that has its keys. While these are on
     * their way to another (ASK), no server has all of them, and the call fails for the moment.
     */
    private Optional<Redirection> redirected(ScriptBatch.Attempt attempt, ServerConnection from, Throwable failure) {
        var texted = new ScriptBatch.Attempt(attempt.call(), CommandType.EVAL);
        if (RedisErrors.isUnknownScript(failure)) {
            return Optional.of(new Redirection(from, texted));
        }
        return RedisErrors.movedTo(failure).filter(place -> link.isCluster()).map(place -> {
            link.findServersAgain();
            return new Redirection(
                    at(link.serverAt(place.host().isEmpty() ? from.server().getHost() : place.host(), place.port())),
                    texted);
        });
    }

    private ServerConnection at(RedisURI server) {
        return servers.computeIfAbsent(RedisLink.address(server), none -> new ServerConnection(link, server, timeout));
    }

    private static void throwIfNoneWasAnswered(List<ScriptReply> replies) {
        @Nullable StoreException worst = null;
        for (var reply : replies) {
            if (reply.failure() == null) {
                return;
            }
            if (worst == null || reply.failure().effect() == StoreException.Effect.UNKNOWN) {
                worst = reply.failure();
            }
        }
        if (worst != null) {
            throw worst;
        }
    }
}
