package dev.refrain;

import dev.refrain.api.BackgroundTask;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.Outcome;
import dev.refrain.internal.recover.Reaper;
import dev.refrain.internal.recover.Sweeper;
import dev.refrain.internal.run.RefrainEngine;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The front door: makes a retried operation take effect once and answer the same for ever.
 *
 * {@snippet :
 * var refrain = Refrain.using(store);
 * Payment payment = refrain.operation("payments.create", Payment.class)
 *         .leased(TakeOver.RESUME)
 *         .run(OperationCall.scope(tenant).key(key).request(request), claim -> provider.charge(request, claim.derivedKey("charge")));
 * }
 *
 * <p>One instance serves a whole application, from any number of threads. Close it to finish what runs; the store stays open
 * and is its owner's to close.
 */
public final class Refrain implements AutoCloseable {

    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(30);

    private final RefrainEngine engine;
    private final RefrainSettings settings;
    private final RecordAdmin admin;
    private final List<BackgroundWorker> workers = new CopyOnWriteArrayList<>();

    private Refrain(Store store, RefrainSettings settings) {
        this.settings = settings;
        var listener = listener();
        engine = new RefrainEngine(store, settings.forEngine());
        admin = new RecordAdmin(store, engine.client(), engine.waiters(), engine.cache(), listener);
        var schedule = settings.maintenance();
        startWorker(schedule.sweepInterval(), new Sweeper(store, listener, schedule.sweepGracePeriod()));
        startWorker(schedule.reapInterval(), new Reaper(store, listener));
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

    /** The same for a type that has arguments: {@code new ResultType<List<Payment>>() {}}. */
    public <T> Operation<T> operation(String name, ResultType<T> type) {
        return Operation.typed(engine, settings.codec(), name, type);
    }

    /** An operation whose answers are kept as they are: status, headers, bytes. */
    public Operation<Outcome.Answer> operation(String name) {
        return Operation.raw(engine, settings.codec(), name);
    }

    /** What people do to records: look at what needs attention, resolve, release, erase. */
    public RecordAdmin admin() {
        return admin;
    }

    /** Where edges report what they see; what it throws is logged and changes nothing. */
    public RefrainListener listener() {
        return settings.listener().exceptionSafe();
    }

    /** Returns the codec of the settings, which everything that is made from this instance uses. */
    public ValueCodec codec() {
        return settings.codec();
    }

    /** Time and threads, for what works beside operations. */
    public ExecutionEnvironment environment() {
        return settings.environment();
    }

    /** Does a chore now and then, on a thread of its own, until it is closed or this instance is. */
    public BackgroundWorker schedule(Duration pause, BackgroundTask chore) {
        return startWorker(pause, chore);
    }

    private BackgroundWorker startWorker(Duration pause, BackgroundTask task) {
        var worker = new BackgroundWorker(task, pause, environment(), listener());
        workers.add(worker);
        worker.start();
        return worker;
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
        workers.forEach(BackgroundWorker::close);
        return engine.close(toFinish);
    }
}
