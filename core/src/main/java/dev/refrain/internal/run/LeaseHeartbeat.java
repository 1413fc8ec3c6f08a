package dev.refrain.internal.run;

import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.internal.batch.BatchedStoreClient;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoreException;
import dev.refrain.store.WriteResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Renews the leases of work that runs, so that a slow handler is not taken over and a dead one is: a heartbeat stops with
 * its process, and at the operation's maximum run time.
 *
 * <p>One timer for all, alive while anything runs. What is due at a tick is asked at once, so all but the first travel in one
 * batch. A lease so short that it cannot wait for the tick has a timer of its own.
 */
final class LeaseHeartbeat {

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration SHORT = TICK.multipliedBy(2);

    /** In the order of the primary key, and of two claims of one record the lost one first. */
    private static final Comparator<Map.Entry<RunningClaim, RunSettings>> BY_CLAIM = Comparator.comparing(
                    (Map.Entry<RunningClaim, RunSettings> e) -> e.getKey().ref().lookup())
            .thenComparingLong(e -> e.getKey().fence());

    private final Map<RunningClaim, RunSettings> running = new ConcurrentHashMap<>();
    private final BatchedStoreClient lanes;
    private final ExecutionEnvironment environment;
    private final RefrainListener listener;
    private final AtomicBoolean ticking = new AtomicBoolean();

    LeaseHeartbeat(BatchedStoreClient lanes, ExecutionEnvironment environment, RefrainListener listener) {
        this.lanes = lanes;
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
                    .filter(e -> e.getKey()
                                    .sinceRenewed()
                                    .compareTo(e.getValue().leasing().renewEvery())
                            >= 0)
                    .sorted(BY_CLAIM)
                    .forEach(e -> renewIfAllowed(e.getKey(), e.getValue()));
        } finally {
            if (!running.isEmpty()) {
                tickLater();
            }
        }
    }

    private void renewIfAllowed(RunningClaim claim, RunSettings settings) {
        if (claim.ran().compareTo(settings.leasing().maxRun()) >= 0) {
            stopRenewing(claim);
            var overran = new RefrainEvent.MaxRunTimeExceeded(settings.operation(), claim.recordId(), claim.ran());
            // Not on the thread of the timers: a listener that takes its time would hold up everybody's renewals.
            environment.startThread("refrain-heartbeat", () -> listener.onEvent(overran));
        } else if (claim.beginRenewal()) {
            startRenewal(claim, settings.leasing().lease());
        }
    }

    /** If no thread can be had now, the next beat tries again. */
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
            switch (lanes.renew(new RecordWrite.Renew(claim.ref(), lease), claim.leaseLeft())) {
                case WriteResponse.Written written -> claim.renewed(askedAt, lease);
                case WriteResponse.Failed failed -> throw failed.failure();
                case WriteResponse.Refused refused -> {
                    claim.fencedOut();
                    stopRenewing(claim);
                }
            }
        } catch (StoreException away) {
            // Tried until the lease was over, and reported by the lane. The work goes on: its outcome may still be
            // taken.
        } finally {
            claim.endRenewal();
        }
    }
}
