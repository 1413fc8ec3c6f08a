package dev.refrain.run;

import dev.refrain.Environment;
import dev.refrain.Settings;
import dev.refrain.batch.Lanes;
import dev.refrain.claim.Claimer;
import dev.refrain.observe.Listener;
import dev.refrain.recover.Chore;
import dev.refrain.recover.Operators;
import dev.refrain.recover.Reaper;
import dev.refrain.recover.Sweeper;
import dev.refrain.recover.Worker;
import dev.refrain.replay.OutcomeCache;
import dev.refrain.replay.Waiters;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.Write;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The parts of one instance, put together. */
public final class Engine {

    private static final Duration ORPHAN_PATIENCE = Duration.ofSeconds(30);
    private static final Duration HEED_INTERRUPT = Duration.ofSeconds(5);

    private final Store store;
    private final Lanes lanes;
    private final Waiters waiters;
    private final Drain drain;
    private final LeasedRun leased;
    private final TransactionalRun transactional;
    private final Operators operators;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final Environment environment;
    private final Listener listener;

    public Engine(Store store, Settings settings) {
        this.store = store;
        environment = settings.environment();
        listener = settings.listener().exceptionSafe();
        lanes = new Lanes(store, environment, listener, this::releaseOrphan);
        waiters = new Waiters(settings.waiterLimits(), lanes, environment);
        drain = new Drain(environment);
        var cache = new OutcomeCache(settings.outcomeCache(), environment);
        var claimer = new Claimer(lanes, environment);
        var saving = new Saving(lanes, waiters, environment, listener);
        var heartbeat = new Heartbeat(lanes, environment, listener);
        var quota = new Quota(settings.maxKeysPerScope(), store, lanes, environment, listener);
        var entry = new Entry(cache, waiters, quota, environment, listener);
        leased = new LeasedRun(entry, claimer, lanes, saving, heartbeat, drain, environment, listener);
        transactional = new TransactionalRun(entry, claimer, saving, waiters, drain, environment, listener);
        operators = new Operators(store, lanes, waiters, cache, listener);
        var chores = settings.maintenance();
        every(chores.sweepInterval(), new Sweeper(store, listener, chores.sweepGracePeriod()));
        every(chores.reapInterval(), new Reaper(store, listener));
    }

    public Worker every(Duration pause, Chore chore) {
        var worker = new Worker(chore, pause, environment, listener);
        workers.add(worker);
        worker.start();
        return worker;
    }

    public Store store() {
        return store;
    }

    public LeasedRun leased() {
        return leased;
    }

    public TransactionalRun transactional() {
        return transactional;
    }

    public Operators operators() {
        return operators;
    }

    /** Names the operations whose work did not end in time and is left to its lease. */
    public List<String> close(Duration toFinish) {
        workers.forEach(Worker::close);
        waiters.close();
        var left = drain.close(toFinish, HEED_INTERRUPT);
        lanes.awaitBackgroundTasks(HEED_INTERRUPT);
        return left;
    }

    /** A claim came for someone who no longer waits: nothing has run, so it is given back. */
    private void releaseOrphan(ClaimRef claim) {
        lanes.runInBackground(() -> {
            try {
                lanes.writeRetryingLocks(new Write.Release(claim), ORPHAN_PATIENCE);
                waiters.wakeOne(claim.lookup());
            } catch (StoreException stillAway) {
                // Reported by the lane; its lease runs out and the sweeper settles it.
            }
        });
    }
}
