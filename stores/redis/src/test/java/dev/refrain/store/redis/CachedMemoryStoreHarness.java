package dev.refrain.store.redis;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.Store;
import dev.refrain.store.contract.StoreHarness;
import dev.refrain.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A memory store with replay caches on an emptied server; all of them have one clock. */
final class CachedMemoryStoreHarness implements StoreHarness {

    private final RedisServer server;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final MemoryStore database = new MemoryStore(() -> now);
    private final List<Store> opened = new ArrayList<>();

    CachedMemoryStoreHarness(RedisServer server) {
        this.server = server;
    }

    @Override
    public Store open() {
        server.command("FLUSHALL");
        return openSecond();
    }

    @Override
    public Store openSecond() {
        var store = CachedStores.connected(database, server.url() + CachedStores.PATIENT, () -> now);
        opened.add(store);
        return store;
    }

    @Override
    public void advanceTime(Duration time) {
        now = now.plus(time);
    }

    @Override
    public void close() {
        opened.forEach(Store::close);
    }
}
