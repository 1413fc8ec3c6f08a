package dev.refrain.testing;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.ValueCodec;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One store and the processes that share it, with all clocks in the test's hand. Time stands still, the store's and the
 * processes', until {@link #advance}.
 */
public final class SharedStoreFixture {

    public static final String SCOPE = "tenant-with-a-name-nobody-should-see";

    public final ManualClock clock = new ManualClock();
    public final ManualEnvironment environment = new ManualEnvironment(clock::advance);
    public final MemoryStore memory = new MemoryStore(clock);
    public final ScriptedStore store = new ScriptedStore(memory);
    public final RecordingListener events = new RecordingListener();

    /** A process, without a cache so that every call shows what the store says. */
    public Refrain process() {
        return process(settings());
    }

    public Refrain process(RefrainSettings settings) {
        return Refrain.using(store, settings);
    }

    public RefrainSettings settings() {
        return RefrainSettings.defaults()
                .with(environment)
                .with(events)
                .with(ValueCodec.standard())
                .with(CacheSettings.OFF);
    }

    /** Time goes by for the store and for the processes alike. For the store alone it is {@code clock} that moves. */
    public void advance(Duration time) {
        environment.advance(time);
    }

    public Optional<StoredRecord> record(String namespace, String key) {
        return memory.find(List.of(new ScopedKey(SCOPE, namespace, key))).getFirst();
    }

    public RecordState state(String namespace, String key) {
        return record(namespace, key).orElseThrow().state();
    }
}
