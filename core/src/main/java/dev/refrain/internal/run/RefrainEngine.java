package dev.refrain.internal.run;

import dev.refrain.api.ClaimRef;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.ClaimAcquirer;
import dev.refrain.internal.replay.OutcomeCache;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.List;

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
    private final OutcomeCache cache;

    public RefrainEngine(Store store, EngineSettings settings) {
        this.store = store;
        var environment = settings.environment();
        var listener = settings.listener().exceptionSafe();
        lanes = new BatchedStoreClient(store, environment, listener, this::releaseOrphan);
        waiters = new WaiterRegistry(settings.waitersPerScope(), settings.waitersPerInstance(), lanes, environment);
        drain = new GracefulShutdown(environment);
        cache = new OutcomeCache(settings.cacheMaxBytes(), settings.cacheMaxAge(), environment);
        var claimer = new ClaimAcquirer(lanes, environment);
        var saving = new OutcomeRecorder(lanes, waiters, environment, listener);
        var heartbeat = new LeaseHeartbeat(lanes, environment, listener);
        var quota = new KeyQuota(settings.maxKeysPerScope(), store, lanes, environment, listener);
        var entry = new CallAdmission(cache, waiters, quota, environment, listener);
        leased = new LeasedOperationRunner(entry, claimer, lanes, saving, heartbeat, drain, environment, listener);
        transactional = new TransactionalOperationRunner(entry, claimer, saving, waiters, drain, environment, listener);
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

    public BatchedStoreClient client() {
        return lanes;
    }

    public WaiterRegistry waiters() {
        return waiters;
    }

    public OutcomeCache cache() {
        return cache;
    }

    /** Finishes, interrupts or leaves what runs, and names the operations whose work did not end in time and is left to its lease. */
    public List<String> close(Duration toFinish) {
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
