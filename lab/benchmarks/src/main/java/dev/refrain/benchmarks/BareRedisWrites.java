package dev.refrain.benchmarks;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The client library alone, with the same hash and index entries in one pipeline. It compares nothing: two callers with one key would both run, and a late one
 * would overwrite the other's answer.
 */
final class BareRedisWrites implements StoreWrites {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PARTITIONS = 64;

    private final RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;
    private final byte[] answer;

    BareRedisWrites(RedisURI uri, byte[] answer) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        this.connection.setAutoFlushCommands(false);
        this.answer = answer;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String partition(String key) {
        return "{bare:" + Math.floorMod(key.hashCode(), PARTITIONS) + "}:";
    }

    private static String record(String key) {
        return partition(key) + "r:" + key;
    }

    private static String micros(Duration from) {
        return Long.toString((System.currentTimeMillis() + from.toMillis()) * 1_000);
    }

    private void await(List<RedisFuture<?>> sent) {
        connection.flushCommands();
        if (!LettuceFutures.awaitAll(PATIENCE, sent.toArray(RedisFuture[]::new))) {
            throw new MeasurementFailedException("The server did not answer within " + PATIENCE.toSeconds() + " s.");
        }
    }

    @Override
    public void claim(List<String> keys) {
        var commands = connection.async();
        var sent = new ArrayList<RedisFuture<?>>();
        for (String key : keys) {
            String nonce = UUID.randomUUID().toString();
            sent.add(commands.hset(
                    record(key),
                    fields(Map.ofEntries(
                            Map.entry("f", "1"),
                            Map.entry("id", nonce),
                            Map.entry("fence", "1"),
                            Map.entry("owner", nonce),
                            Map.entry("st", "P"),
                            Map.entry("pol", "H"),
                            Map.entry("lease", micros(Duration.ofMinutes(1))),
                            Map.entry("claimed", micros(Duration.ZERO)),
                            Map.entry("exp", micros(Duration.ofHours(24))),
                            Map.entry("scope", "bench"),
                            Map.entry("ns", "payments"),
                            Map.entry("key", key),
                            Map.entry("rec", "1/bench"),
                            Map.entry("dig", "d".repeat(32)),
                            Map.entry("sk", "s".repeat(32)),
                            Map.entry("op", "")))));
            sent.add(commands.sadd(partition(key) + "s:bench", bytes(key)));
            sent.add(commands.zadd(partition(key) + "lease", 1, bytes(key)));
        }
        await(sent);
    }

    private static Map<String, byte[]> fields(Map<String, String> texts) {
        var fields = new HashMap<String, byte[]>();
        texts.forEach((name, value) -> fields.put(name, bytes(value)));
        return fields;
    }

    @Override
    public void complete(List<String> keys) {
        var commands = connection.async();
        var sent = new ArrayList<RedisFuture<?>>();
        for (String key : keys) {
            var fields = fields(Map.of("st", "C", "done", micros(Duration.ZERO), "exp", micros(Duration.ofHours(24))));
            fields.put("out", answer);
            sent.add(commands.hset(record(key), fields));
            sent.add(commands.zrem(partition(key) + "lease", bytes(key)));
            sent.add(commands.zadd(partition(key) + "expiry", 1, bytes(key)));
        }
        await(sent);
    }

    @Override
    public void replay(List<String> keys) {
        var sent = new ArrayList<RedisFuture<?>>();
        keys.forEach(key -> sent.add(connection.async().hgetall(record(key))));
        await(sent);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
