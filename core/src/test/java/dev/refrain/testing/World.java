package dev.refrain.testing;

import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.key.Identity;
import dev.refrain.outcome.Codec;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.store.State;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One store and the processes that share it, with all clocks in the test's hand. Time stands still, the store's and the
 * processes', until {@link #advance}.
 */
public final class World {

    public static final String SCOPE = "tenant-with-a-name-nobody-should-see";

    public final ManualClock clock = new ManualClock();
    public final ManualEnvironment environment = new ManualEnvironment(clock::advance);
    public final MemoryStore memory = new MemoryStore(clock);
    public final ScriptedStore store = new ScriptedStore(memory);
    public final Events events = new Events();

    /** A process, without a cache so that every call shows what the store says. */
    public Refrain process() {
        return process(settings());
    }

    public Refrain process(Settings settings) {
        return Refrain.using(store, settings);
    }

    public Settings settings() {
        return Settings.defaults()
                .with(environment)
                .with(events)
                .with(Codec.standard())
                .with(OutcomeCache.Settings.OFF);
    }

    /** Time goes by for the store and for the processes alike. For the store alone it is {@code clock} that moves. */
    public void advance(Duration time) {
        environment.advance(time);
    }

    public Optional<StoredRecord> record(String namespace, String key) {
        return memory.find(List.of(new Identity(SCOPE, namespace, key))).getFirst();
    }

    public State state(String namespace, String key) {
        return record(namespace, key).orElseThrow().state();
    }
}
