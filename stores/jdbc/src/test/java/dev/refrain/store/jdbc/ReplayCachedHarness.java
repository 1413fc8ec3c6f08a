package dev.refrain.store.jdbc;

import dev.refrain.servers.RedisServer;
import dev.refrain.store.Store;
import dev.refrain.store.contract.TransactionalStoreHarness;
import dev.refrain.store.redis.ManualReplayClock;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stores in a database with replay caches in front, on an emptied server. What the database ages, the clock of the caches ages too. */
final class ReplayCachedHarness implements TransactionalStoreHarness<Connection> {

    private final RedisServer server;
    private final ManualReplayClock clock = new ManualReplayClock();
    private final List<Store> opened = new ArrayList<>();
    private final JdbcStoreHarness database;

    /** @param database makes the harness of the database, with what goes around its stores */
    ReplayCachedHarness(RedisServer server, Function<UnaryOperator<Store>, JdbcStoreHarness> database) {
        this.server = server;
        this.database = database.apply(this::cached);
        server.command("FLUSHALL");
    }

    private Store cached(Store store) {
        var cached = clock.around(store, server.url() + "?key-prefix=keys&timeout=60s");
        opened.add(cached);
        return cached;
    }

    @Override
    public Store open() {
        return database.open();
    }

    @Override
    public Store openSecond() {
        return database.openSecond();
    }

    @Override
    public Optional<Store> reopenAfterCrash() {
        return database.reopenAfterCrash();
    }

    @Override
    public void advanceTime(Duration time) {
        database.advanceTime(time);
        clock.advance(time);
    }

    /** What a later version writes, older ones do not read: neither in the database nor in Redis. */
    @Override
    public void simulateNewerFormat() {
        database.simulateNewerFormat();
        server.command(
                "EVAL",
                "for _, key in ipairs(redis.call('KEYS', '*:replay:*')) do"
                        + " redis.call('SETRANGE', key, 0, '\t') end return 1",
                "0");
    }

    @Override
    public void inTransaction(TransactionBody<Connection> body) throws Exception {
        database.inTransaction(body);
    }

    @Override
    public void insertNote(Connection connection, String text) throws Exception {
        database.insertNote(connection, text);
    }

    @Override
    public List<String> notes() {
        return database.notes();
    }

    @Override
    public boolean abortFailsRunningWork() {
        return database.abortFailsRunningWork();
    }

    @Override
    public void close() {
        opened.forEach(Store::close);
        database.close();
    }
}
