package dev.refrain.store.redis;

import dev.refrain.servers.RedisCluster;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.Store;
import dev.refrain.store.contract.StoreHarness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A store on servers of the test's own, emptied first. Their clock cannot be moved: what they hold is aged instead. */
final class RedisStoreHarness implements StoreHarness {

    /** Takes microseconds off every time in every key. */
    private static final String AGE = """
            local by = tonumber(ARGV[1])
            local function earlier(value) return string.format('%.0f', tonumber(value) - by) end
            for _, key in ipairs(redis.call('KEYS', '*')) do
              local kind = redis.call('TYPE', key).ok
              if kind == 'zset' then
                local all = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
                for i = 1, #all, 2 do redis.call('ZADD', key, earlier(all[i + 1]), all[i]) end
              elseif kind == 'hash' then
                for _, name in ipairs({'lease', 'claimed', 'exp', 'since', 'call', 'done', 'seen', 'peak'}) do
                  local value = redis.call('HGET', key, name)
                  if value then redis.call('HSET', key, name, earlier(value)) end
                end
                for _, name in ipairs(redis.call('HKEYS', key)) do
                  if name:sub(2, 2) == ':' then
                    local value = redis.call('HGET', key, name)
                    local moment, rest = value:match('^(%S*)( .*)$')
                    redis.call('HSET', key, name, earlier(moment) .. rest)
                  end
                end
              end
            end
            return 'done'
            """;

    private static final String NEWER = """
            for _, key in ipairs(redis.call('KEYS', '*:r:*')) do redis.call('HINCRBY', key, 'f', 1) end
            return 'done'
            """;

    private final List<Store> opened = new ArrayList<>();
    private final List<RedisServer> servers;
    private final String url;
    private final Runnable restart;
    private final UnaryOperator<Store> around;

    /** Creates the harness of one server. */
    RedisStoreHarness(RedisServer server, UnaryOperator<Store> around) {
        this(List.of(server), server.url(), server::restart, around);
    }

    /** Creates the harness of a cluster. */
    RedisStoreHarness(RedisCluster cluster) {
        this(cluster.nodes(), cluster.url(), cluster::restart, UnaryOperator.identity());
    }

    private RedisStoreHarness(List<RedisServer> servers, String url, Runnable restart, UnaryOperator<Store> around) {
        this.servers = servers;
        this.url = url;
        this.restart = restart;
        this.around = around;
    }

    @Override
    public Store open() {
        servers.forEach(server -> server.command("FLUSHALL"));
        return openSecond();
    }

    @Override
    public Store openSecond() {
        var store = RedisStore.builder(url).timeout(Duration.ofSeconds(60)).build();
        opened.add(store);
        return around.apply(store);
    }

    @Override
    public Optional<Store> reopenAfterCrash() {
        restart.run();
        return Optional.of(openSecond());
    }

    @Override
    public void advanceTime(Duration time) {
        onAll(AGE, Long.toString(time.toMillis() * 1_000));
    }

    @Override
    public void simulateNewerFormat() {
        onAll(NEWER, "");
    }

    private void onAll(String script, String argument) {
        for (var server : servers) {
            String reply = server.command("EVAL", script, "0", argument);
            if (reply.startsWith("-")) {
                throw new AssertionError(reply);
            }
        }
    }

    @Override
    public void close() {
        opened.forEach(Store::close);
    }
}
