package dev.refrain.store.redis;

import dev.refrain.store.StoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses claims while a server may delete records. What was checked at start may be otherwise on a replica that was promoted and on a server
 * that was restarted, so each new connection has the policy of its server read before the next claim there, and so has each sweep. Thread-safe.
 */
final class EvictionGuard {

    private static final System.Logger LOG = System.getLogger(EvictionGuard.class.getName());

    private final Map<ServerConnection, StatefulRedisConnection<byte[], byte[]>> checked = new ConcurrentHashMap<>();
    private volatile boolean refusing;

    /** Asks a server for its policy; empty if it was asked on this connection since the last sweep. */
    Optional<AsyncCommand<byte[], byte[], byte[]>> ask(
            ServerConnection server, StatefulRedisConnection<byte[], byte[]> open) {
        if (open.equals(checked.get(server))) {
            return Optional.empty();
        }
        var question = new AsyncCommand<>(new Command<>(
                CommandType.INFO,
                new ValueOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE)));
        try {
            var unused = open.dispatch(question);
        } catch (RedisException e) {
            var unused = question.completeExceptionally(e);
        }
        return Optional.of(question);
    }

    /** @throws StoreException without effect, if the server evicts */
    void requireNoEviction(ServerConnection server, StatefulRedisConnection<byte[], byte[]> open, byte[] answer) {
        try {
            ServerCheck.of(server.address(), new String(answer, StandardCharsets.UTF_8))
                    .refuseEviction();
        } catch (StoreException refusal) {
            warnOnce(refusal);
            throw StoreException.unavailable(String.valueOf(refusal.getMessage()), StoreException.Effect.NONE, refusal);
        }
        checked.put(server, open);
        refusing = false;
    }

    private void warnOnce(StoreException refusal) {
        if (!refusing) {
            refusing = true;
            LOG.log(System.Logger.Level.ERROR, "No key is claimed there. " + refusal.getMessage());
        }
    }

    /** Has the policies read again before the next claims. */
    void checkAgain() {
        checked.clear();
    }
}
