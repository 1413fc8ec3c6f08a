package dev.refrain.outbox;

import dev.refrain.Refrain;
import dev.refrain.ValueCodec;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Hands messages to a handler in this process. As many as are handled in a moment commit together, with their settlement; if one of them
 * fails, all are taken back and each gets a transaction of its own.
 */
final class HandlerDispatcher<C> implements MessageDispatcher {

    private static final int ROWS = 500;
    private static final int ROWS_IN_PARCEL = 100;
    private static final Duration MOMENT = Duration.ofMillis(50);

    /** A handler that loses so many races in a row is put off. */
    private static final int TRIES = 5;

    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration STORE_AWAY = Duration.ofSeconds(1);

    private final SettlementFactory endings;
    private final OutboxStore<C> store;
    private final OutboxHandler<C> handler;
    private final ValueCodec codec;
    private final ExecutionEnvironment environment;

    HandlerDispatcher(TopicSettings topic, OutboxStore<C> store, OutboxHandler<C> handler, Refrain refrain) {
        this.endings = new SettlementFactory(topic, refrain.environment());
        this.store = store;
        this.handler = handler;
        this.codec = refrain.codec();
        this.environment = refrain.environment();
    }

    @Override
    public int rowsToTake(int parcels) {
        return ROWS;
    }

    @Override
    public int maxRowsPerLane() {
        return ROWS;
    }

    @Override
    public List<List<LeasedMessage>> batches(List<LeasedMessage> taken, int most) {
        int count = Math.clamp(taken.size() / ROWS_IN_PARCEL, 1, most);
        var parcels = new ArrayList<List<LeasedMessage>>();
        for (int i = 0; i < count; i++) {
            parcels.add(new ArrayList<>());
        }
        int next = 0;
        for (var each : taken) {
            int parcel = each.lane().isPresent() ? each.lane().getAsInt() % count : next++ % count;
            parcels.get(parcel).add(each);
        }
        parcels.removeIf(List::isEmpty);
        return parcels;
    }

    @Override
    public void deliver(List<LeasedMessage> parcel, DeliveryCallback desk) {
        var left = new ArrayDeque<>(parcel);
        var waiting = new HashSet<Integer>();
        int alone = 0;
        while (!left.isEmpty() && desk.open()) {
            if (waits(left.getFirst(), waiting)) {
                var behind = left.removeFirst();
                desk.settle(behind, endings.notAttempted(behind));
            } else if (alone > 0 || left.size() == 1) {
                alone = Math.max(0, alone - 1);
                var taken = left.removeFirst();
                if (!alone(taken, desk)) {
                    taken.lane().ifPresent(waiting::add);
                }
            } else {
                alone = together(left, waiting, desk);
            }
        }
        left.forEach(taken -> desk.settle(taken, endings.notAttempted(taken)));
    }

    /** Whether one before it in its lane was neither delivered nor dead. */
    private static boolean waits(LeasedMessage taken, Set<Integer> waiting) {
        return taken.lane().isPresent() && waiting.contains(taken.lane().getAsInt());
    }

    /**
     * Handles the first of them in one transaction, and removes those that are through.
     *
     * @return how many of the first are to be handled alone, because nothing is left of this
     */
    private int together(Deque<LeasedMessage> left, Set<Integer> waiting, DeliveryCallback desk) {
        var handled = new ArrayList<LeasedMessage>();
        long begun = environment.nanoTime();
        try (var transaction = store.begin()) {
            for (var taken : left) {
                boolean enough = environment.nanoTime() - begun > MOMENT.toNanos();
                if (enough || waits(taken, waiting) || endings.exceedsAttempts(taken) || !desk.open()) {
                    break;
                }
                handled.add(taken);
                handle(transaction.connection(), taken);
            }
            if (handled.isEmpty()) {
                return 1;
            }
            if (!transaction.settleAndCommit(
                    handled.stream().map(endings::delivered).toList())) {
                return handled.size();
            }
        } catch (StoreException away) {
            if (away.effect() == StoreException.Effect.NONE) {
                return Math.max(1, handled.size());
            }
            // They may be committed: their leases will tell, and what is behind them in their lanes waits for that.
            handled.forEach(taken -> {
                left.removeFirst();
                taken.lane().ifPresent(waiting::add);
            });
            return 0;
        } catch (Exception failed) {
            return handled.size();
        }
        handled.forEach(taken -> {
            left.removeFirst();
            desk.settled(taken, endings.delivered(taken));
        });
        return 0;
    }

    /** Whether the next of its lane may follow. */
    private boolean alone(LeasedMessage taken, DeliveryCallback desk) {
        if (endings.exceedsAttempts(taken)) {
            desk.settle(taken, endings.lostByRelays(taken));
            return true;
        }
        try {
            if (!handledAlone(taken)) {
                // Somebody else has it now.
                return false;
            }
            desk.settled(taken, endings.delivered(taken));
            return true;
        } catch (RetryLaterException later) {
            desk.settle(taken, endings.notSent(taken, later.retryAfter(), later));
        } catch (StoreException away) {
            if (away.effect() == StoreException.Effect.NONE) {
                desk.settle(
                        taken,
                        away.isTransient() ? endings.notSent(taken, STORE_AWAY, away) : endings.refused(taken, away));
            }
            // Otherwise it may be committed: its lease will tell.
        } catch (Exception failed) {
            var settlement = endings.refused(taken, failed);
            desk.settle(taken, settlement);
            return settlement instanceof MessageSettlement.Dead;
        }
        return false;
    }

    /** Tries again what lost a race at the database. */
    private boolean handledAlone(LeasedMessage taken) throws Exception {
        for (int tries = 1; ; tries++) {
            try (var transaction = store.begin()) {
                try {
                    handle(transaction.connection(), taken);
                    return transaction.settleAndCommit(List.of(endings.delivered(taken)));
                } catch (Exception failed) {
                    boolean inDoubt =
                            failed instanceof StoreException store && store.effect() == StoreException.Effect.UNKNOWN;
                    if (inDoubt || tries == TRIES || !transaction.lostRace(failed)) {
                        throw failed;
                    }
                }
            }
            environment.sleep(PAUSE.multipliedBy((long) tries * tries));
        }
    }

    private void handle(C tx, LeasedMessage taken) throws Exception {
        DeliveryWatchdog.runWithTimeout(
                environment, endings.topic().timeout(), () -> handler.handle(tx, new MessageDelivery(taken, codec)));
    }
}
