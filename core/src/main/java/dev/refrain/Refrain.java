package dev.refrain;

import dev.refrain.api.BackgroundTask;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Outcome;
import dev.refrain.internal.run.RefrainEngine;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.Store;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;

/**
 * The front door: makes a retried operation take effect once and answer the same for ever.
 *
 * {@snippet :
 * var refrain = Refrain.using(store);
 * Payment payment = refrain.operation("payments.create", Payment.class)
 *         .leased(TakeOver.RESUME)
 *         .run(tenant, key, request, claim -> provider.charge(request, claim.derivedKey("charge")));
 * }
 *
 * <p>One instance serves a whole application, from any number of threads. Close it to finish what runs; the store stays open
 * and is its owner's to close.
 */
public final class Refrain implements AutoCloseable {

    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(30);

    private final RefrainEngine engine;
    private final RefrainSettings settings;

    private Refrain(Store store, RefrainSettings settings) {
        this.settings = settings;
        this.engine = new RefrainEngine(store, settings);
    }

    public static Refrain using(Store store) {
        return using(store, RefrainSettings.defaults());
    }

    public static Refrain using(Store store, RefrainSettings settings) {
        return new Refrain(store, settings);
    }

    /** An operation whose work gives a value of that type, stored by the codec of the settings. */
    public <T> Operation<T> operation(String name, Class<T> type) {
        return Operation.typed(engine, settings.codec(), name, type);
    }

    /** The same for a type that has parameters, such as a list of something. */
    public Operation<Object> operation(String name, Type type) {
        return Operation.typed(engine, settings.codec(), name, type);
    }

    /** An operation whose answers are kept as they are: status, headers, bytes. */
    public Operation<Outcome.Answer> operation(String name) {
        return Operation.raw(engine, settings.codec(), name);
    }

    /** What people do to records: look at what needs attention, resolve, release, erase. */
    public RecordAdmin admin() {
        return engine.operators();
    }

    /** Where edges report what they see; what it throws is logged and changes nothing. */
    public RefrainListener listener() {
        return settings.listener().exceptionSafe();
    }

    /** Time and threads, for what works beside operations. */
    public ExecutionEnvironment environment() {
        return settings.environment();
    }

    /** Does a chore now and then, on a thread of its own, until it is closed or this instance is. */
    public BackgroundWorker schedule(Duration pause, BackgroundTask chore) {
        return engine.every(pause, chore);
    }

    /** Takes nothing new and gives what runs half a minute to finish; see {@link #close(Duration)}. */
    @Override
    public void close() {
        close(TIME_TO_FINISH);
    }

    /**
     * Takes nothing new, waits for what runs, then interrupts it, so that it is completed or released.
     *
     * @return the operations whose work ended neither way; it is left to its lease
     */
    public List<String> close(Duration toFinish) {
        return engine.close(toFinish);
    }
}
