package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoreException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Renews the leases of running work, so that slow work is not taken over and dead work is: the heartbeat stops with its process,
 * and at the operation's maximum run time.
 *
 * <p>One timer for all, active while anything runs. Renewals due at a tick are sent at once, so that all but the first share one
 * batch. A lease too short to wait for the tick has a timer of its own.
 */
final class LeaseHeartbeat {

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration SHORT = TICK.multipliedBy(2);

    /** In primary key order; of two claims of one record the lost one first. */
    private static final Comparator<Map.Entry<RunningClaim, RunSettings>> BY_CLAIM = Comparator.comparing(
                    (Map.Entry<RunningClaim, RunSettings> e) -> e.getKey().ref().lookup())
            .thenComparingLong(e -> e.getKey().fence());

    private final Map<RunningClaim, RunSettings> running = new ConcurrentHashMap<>();
    private final BatchedStoreClient storeClient;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final AtomicBoolean ticking = new AtomicBoolean();

    LeaseHeartbeat(BatchedStoreClient storeClient, ExecutionEnvironment environment, RefrainListener listener) {
        this.storeClient = storeClient;
        this.environment = environment;
        this.listener = listener;
    }

    void startRenewing(RunningClaim claim, RunSettings settings) {
        running.put(claim, settings);
        if (settings.leasing().renewEvery().compareTo(SHORT) < 0) {
            beatAlone(claim, settings);
        } else {
            tickLater();
        }
    }

    void stopRenewing(RunningClaim claim) {
        running.remove(claim);
    }

    private void beatAlone(RunningClaim claim, RunSettings settings) {
        environment.schedule(settings.leasing().renewEvery(), () -> {
            if (running.containsKey(claim)) {
                try {
                    renewIfAllowed(claim, settings);
                } finally {
                    beatAlone(claim, settings);
                }
            }
        });
    }

    private void tickLater() {
        if (ticking.compareAndSet(false, true)) {
            environment.schedule(TICK, this::tick);
        }
    }

    private void tick() {
        ticking.set(false);
        try {
            running.entrySet().stream()
                    .filter(e -> isDue(e.getKey(), e.getValue().leasing()))
                    .sorted(BY_CLAIM)
                    .forEach(e -> renewIfAllowed(e.getKey(), e.getValue()));
        } finally {
            if (!running.isEmpty()) {
                tickLater();
            }
        }
    }

    private static boolean isDue(RunningClaim claim, LeaseSettings leasing) {
        return claim.sinceRenewed().compareTo(leasing.renewEvery()) >= 0 || hasOverrun(claim, leasing);
    }

    private static boolean hasOverrun(RunningClaim claim, LeaseSettings leasing) {
        return claim.ran().compareTo(leasing.maxRun()) >= 0;
    }

    private void renewIfAllowed(RunningClaim claim, RunSettings settings) {
        if (hasOverrun(claim, settings.leasing())) {
            stopRenewing(claim);
            claim.exceedMaxRunTime();
            var overran = new RefrainEvent.MaxRunTimeExceeded(settings.operation(), claim.recordId(), claim.ran());
            // Not on the timer thread: a slow listener would delay all renewals.
            environment.startThread("refrain-heartbeat", () -> listener.onEvent(overran));
        } else if (claim.beginRenewal()) {
            startRenewal(claim, settings.leasing().lease());
        }
    }

    /** Starts a renewal; if no thread is available, the next tick tries again. */
    private void startRenewal(RunningClaim claim, Duration lease) {
        try {
            environment.startThread("refrain-heartbeat", () -> renew(claim, lease));
        } catch (RuntimeException | Error noThread) {
            claim.endRenewal();
            throw noThread;
        }
    }

    private void renew(RunningClaim claim, Duration lease) {
        long askedAt = environment.nanoTime();
        try {
            switch (storeClient.renew(new RecordWrite.Renew(claim.ref(), lease), claim.leaseLeft())) {
                case RecordWriteResponse.Written written -> claim.renewed(askedAt, lease);
                case RecordWriteResponse.Failed failed -> throw failed.failure();
                case RecordWriteResponse.Refused refused -> {
                    claim.fencedOut();
                    stopRenewing(claim);
                }
            }
        } catch (StoreException away) {
            // Retried until the lease expired, and reported by the batcher. The work continues: its outcome may still
            // be
            // accepted.
        } finally {
            claim.endRenewal();
        }
    }
}
