package dev.refrain.trials.kills;

import dev.refrain.servers.KillableServer;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Kills the database now and then and starts it again, independent of its clients. */
final class DatabaseKiller implements AutoCloseable {

    private final Optional<KillableServer> server;
    private final KillTimeline timeline;
    private final Random random;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean over;
    private Optional<Thread> thread = Optional.empty();

    private DatabaseKiller(Optional<KillableServer> server, KillTimeline timeline, long seed) {
        this.server = server;
        this.timeline = timeline;
        this.random = new Random(~seed);
    }

    static DatabaseKiller on(Optional<KillableServer> server, KillTimeline timeline, long seed) {
        return new DatabaseKiller(server, timeline, seed);
    }

    void begin() {
        thread = server.map(victim -> Thread.ofPlatform().name("server-havoc").start(() -> killNowAndThen(victim)));
    }

    private void killNowAndThen(KillableServer victim) {
        try {
            while (!over) {
                Thread.sleep(1_000 + random.nextInt(1_500));
                victim.killHard();
                timeline.killedServer();
                Thread.sleep(random.nextInt(300));
                victim.restart();
            }
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    void requireWell() {
        if (failure.get() != null) {
            throw new AssertionError("The database could not be killed and started again", failure.get());
        }
    }

    /** Returns when the database is up and stays up. */
    @Override
    public void close() throws InterruptedException {
        over = true;
        if (thread.isPresent()) {
            thread.get().join();
        }
        requireWell();
    }
}
