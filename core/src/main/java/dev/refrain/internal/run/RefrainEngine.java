package dev.refrain.internal.run;

import dev.refrain.BackgroundWorker;
import dev.refrain.RecordAdmin;
import dev.refrain.RefrainSettings;
import dev.refrain.api.BackgroundTask;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.ClaimAcquirer;
import dev.refrain.internal.recover.Reaper;
import dev.refrain.internal.recover.Sweeper;
import dev.refrain.internal.replay.OutcomeCache;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The parts of one instance, put together. */
public final class RefrainEngine {

    private static final Duration ORPHAN_PATIENCE = Duration.ofSeconds(30);
    private static final Duration HEED_INTERRUPT = Duration.ofSeconds(5);

    private final Store store;
    private final BatchedStoreClient lanes;
    private final WaiterRegistry waiters;
    private final GracefulShutdown drain;
    private final LeasedOperationRunner leased;
    private final TransactionalOperationRunner transactional;
    private final RecordAdmin operators;
    private final List<BackgroundWorker> workers = new CopyOnWriteArrayList<>();
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;

    public RefrainEngine(Store store, RefrainSettings settings) {
        this.store = store;
        environment = settings.environment();
        listener = settings.listener().exceptionSafe();
        lanes = new BatchedStoreClient(store, environment, listener, this::releaseOrphan);
        waiters = new WaiterRegistry(settings.waiterLimits(), lanes, environment);
        drain = new GracefulShutdown(environment);
        var cache = new OutcomeCache(settings.outcomeCache(), environment);
        var claimer = new ClaimAcquirer(lanes, environment);
        var saving = new OutcomeRecorder(lanes, waiters, environment, listener);
        var heartbeat = new LeaseHeartbeat(lanes, environment, listener);
        var quota = new KeyQuota(settings.maxKeysPerScope(), store, lanes, environment, listener);
        var entry = new CallAdmission(cache, waiters, quota, environment, listener);
        leased = new LeasedOperationRunner(entry, claimer, lanes, saving, heartbeat, drain, environment, listener);
        transactional = new TransactionalOperationRunner(entry, claimer, saving, waiters, drain, environment, listener);
        operators = new RecordAdmin(store, lanes, waiters, cache, listener);
        var chores = settings.maintenance();
        every(chores.sweepInterval(), new Sweeper(store, listener, chores.sweepGracePeriod()));
        every(chores.reapInterval(), new Reaper(store, listener));
    }

    public BackgroundWorker every(Duration pause, BackgroundTask chore) {
        var worker = new BackgroundWorker(chore, pause, environment, listener);
        workers.add(worker);
        worker.start();
        return worker;
    }

    public Store store() {
        return store;
    }

    public LeasedOperationRunner leased() {
        return leased;
    }

    public TransactionalOperationRunner transactional() {
        return transactional;
    }

    public RecordAdmin operators() {
        return operators;
    }

    /** Names the operations whose work did not end in time and is left to its lease. */
    public List<String> close(Duration toFinish) {
        workers.forEach(BackgroundWorker::close);
        waiters.close();
        var left = drain.close(toFinish, HEED_INTERRUPT);
        lanes.awaitBackgroundTasks(HEED_INTERRUPT);
        return left;
    }

    /** A claim came for someone who no longer waits: nothing has run, so it is given back. */
    private void releaseOrphan(ClaimRef claim) {
        lanes.runInBackground(() -> {
            try {
                lanes.writeRetryingLocks(new RecordWrite.Release(claim), ORPHAN_PATIENCE);
                waiters.wakeOne(claim.lookup());
            } catch (StoreException stillAway) {
                // Reported by the lane; its lease runs out and the sweeper settles it.
            }
        });
    }
}
