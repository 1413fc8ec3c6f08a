package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.KeyHash;
import dev.refrain.store.WakeupChannel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A watch of one record, from the moment on at which it is watched. */
final class RecordedWakeups implements AutoCloseable {

    private final LinkedBlockingQueue<KeyHash> heard = new LinkedBlockingQueue<>();
    private final WakeupChannel.RecordWatch watch;

    RecordedWakeups(JdbcStore store, KeyHash lookup) throws InterruptedException {
        watch = store.ability(WakeupChannel.class).orElseThrow().openWatch(heard::add);
        watch.watch(lookup);
        awaitOne();
    }

    void awaitOne() throws InterruptedException {
        assertThat(heard.poll(1, TimeUnit.MINUTES)).isNotNull();
    }

    void assertNone() {
        assertThat(heard).isEmpty();
    }

    void forget() {
        heard.clear();
    }

    void unwatch(KeyHash lookup) {
        watch.unwatch(lookup);
    }

    @Override
    public void close() {
        watch.close();
    }
}
