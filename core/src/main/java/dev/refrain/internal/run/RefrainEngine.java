package dev.refrain.internal.run;

import dev.refrain.api.KeyHash;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.internal.claim.ClaimAcquirer;
import dev.refrain.internal.claim.OriginCompleter;
import dev.refrain.internal.replay.OutcomeCache;
import dev.refrain.internal.replay.WaiterRegistry;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.WakeupChannel;
import java.time.Duration;
import java.util.List;

/** Assembles the parts of one instance. */
public final class RefrainEngine {

    private static final Duration HEED_INTERRUPT = Duration.ofSeconds(5);

    private final Store store;
    private final BatchedStoreClient storeClient;
    private final WaiterRegistry waiters;
    private final GracefulShutdown drain;
    private final LeasedOperationRunner leased;
    private final TransactionalOperationRunner transactional;
    private final OutcomeCache cache;

    public RefrainEngine(Store store, EngineSettings settings) {
        this.store = store;
        var environment = settings.environment();
        var listener = settings.listener().exceptionSafe();
        storeClient = new BatchedStoreClient(store, environment, listener, this::released);
        waiters = new WaiterRegistry(
                settings.waitersPerScope(),
                settings.waitersPerInstance(),
                storeClient,
                store.ability(WakeupChannel.class),
                environment);
        drain = new GracefulShutdown(environment);
        cache = new OutcomeCache(settings.cacheMaxBytes(), settings.cacheMaxAge(), environment);
        var claimer = new ClaimAcquirer(
                storeClient, environment, new OriginCompleter(settings.instanceName(), settings.traceIds()));
        var saving = new OutcomeRecorder(storeClient, waiters, environment, listener);
        var heartbeat = new LeaseHeartbeat(storeClient, environment, listener);
        var quota = new KeyQuota(settings.maxKeysPerScope(), store, storeClient, environment, listener);
        var entry = new CallAdmission(cache, waiters, quota, environment, listener);
        leased =
                new LeasedOperationRunner(entry, claimer, storeClient, saving, heartbeat, drain, environment, listener);
        transactional = new TransactionalOperationRunner(entry, claimer, saving, waiters, drain, environment, listener);
    }

    public Store store() {
        return store;
    }

    /** Refuses transactions of another store than this one's. */
    public void requireOwn(StoreTransactionFactory<?> transactions, String user) {
        if (!transactions.belongTo(store)) {
            boolean unwrapped =
                    store.traits().encrypted() && !transactions.store().traits().encrypted();
            throw new IllegalArgumentException(user
                    + ": these transactions belong to another store than this Refrain, so key and work would commit separately"
                    + (unwrapped
                            ? " and be stored in the clear. Use encryptingStore.transactions(jdbcStore.transactions()). See docs/encryption.md."
                            : ". Use transactions of the same store."));
        }
    }

    public LeasedOperationRunner leased() {
        return leased;
    }

    public TransactionalOperationRunner transactional() {
        return transactional;
    }

    public BatchedStoreClient client() {
        return storeClient;
    }

    public WaiterRegistry waiters() {
        return waiters;
    }

    public OutcomeCache cache() {
        return cache;
    }

    /**
     * Finishes, interrupts or abandons running work; returns the operations whose work did not end in time and whose claims are
     * left to their leases.
     */
    public List<String> close(Duration toFinish) {
        waiters.close();
        var left = drain.close(toFinish, HEED_INTERRUPT);
        storeClient.awaitBackgroundTasks(HEED_INTERRUPT);
        return left;
    }

    private void released(KeyHash lookup) {
        waiters.wakeOne(lookup);
    }
}
