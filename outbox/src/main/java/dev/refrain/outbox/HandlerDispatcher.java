package dev.refrain.outbox;

import dev.refrain.Refrain;
import dev.refrain.ValueCodec;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxRowRef;
import dev.refrain.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Delivers messages to a handler in this process. Messages that are handled within 50 ms commit together, with their settlement; if one of
 * them fails, all are rolled back and each gets a transaction of its own.
 *
 * <p>A lease that ends without a settlement (the relay crashed, or was slower than the lease) is no attempt: most of a batch only waited for its
 * turn. A message that relays lose again and again is handled alone, and given up once they lost it alone as often as it may be attempted.
 */
final class HandlerDispatcher<C> implements MessageDispatcher {

    private static final int MOST_ROWS = 500;
    private static final int ROWS_IN_BATCH = 100;
    private static final Duration MOMENT = Duration.ofMillis(50);

    /** Attempts of a handler that loses races at the database, before its message is delayed. */
    private static final int TRIES = 5;

    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration STORE_AWAY = Duration.ofSeconds(1);

    private final SettlementFactory settlements;
    private final OutboxStore<C> store;
    private final OutboxHandler<C> handler;
    private final ValueCodec codec;
    private final ExecutionEnvironment environment;

    /** A delivery may take as long for the connection and for the commit as for its handler: the lease is meant to be twice as long. */
    private final Duration timeout;

    /**
     * Rows to lease at once: half as many after a batch that took nearly all of its lease, twice as many after one that did not, and one after
     * a batch that was released for a message which relays lost several times.
     */
    private final AtomicInteger rows = new AtomicInteger(MOST_ROWS);

    HandlerDispatcher(TopicSettings topic, OutboxStore<C> store, OutboxHandler<C> handler, Refrain refrain) {
        this.settlements =
                new SettlementFactory(topic, refrain.environment(), SettlementFactory.LostLease.HANDLED_NOTHING);
        this.store = store;
        this.handler = handler;
        this.codec = refrain.codec();
        this.environment = refrain.environment();
        this.timeout = topic.timeout();
    }

    @Override
    public int rowsToLease(int batches) {
        return rows.get();
    }

    @Override
    public int maxRowsPerLane() {
        return rows.get();
    }

    @Override
    public MessageLeaseRequest.Durability durability() {
        return MessageLeaseRequest.Durability.FORGOTTEN_IN_CRASHES;
    }

    @Override
    public List<List<LeasedMessage>> batches(List<LeasedMessage> taken, int most) {
        boolean oneAfterTheOther = taken.stream().anyMatch(settlements::mustBeAlone);
        int count = oneAfterTheOther ? 1 : Math.clamp(taken.size() / ROWS_IN_BATCH, 1, most);
        var batches = new ArrayList<List<LeasedMessage>>();
        for (int i = 0; i < count; i++) {
            batches.add(new ArrayList<>());
        }
        int next = 0;
        for (var each : taken) {
            int batch = each.lane().isPresent() ? each.lane().getAsInt() % count : next++ % count;
            batches.get(batch).add(each);
        }
        batches.removeIf(List::isEmpty);
        return batches;
    }

    @Override
    public void deliver(List<LeasedMessage> batch, DeliveryCallback callback) {
        var left = new ArrayDeque<>(batch);
        var waiting = new HashSet<Integer>();
        int alone = 0;
        var apart = releasedFirst(batch);
        if (!apart.isEmpty() && !release(apart, left, callback)) {
            left.forEach(taken -> callback.settle(taken, settlements.notAttempted(taken)));
            return;
        }
        while (!left.isEmpty() && callback.mayDeliver()) {
            if (waits(left.getFirst(), waiting)) {
                var behind = left.removeFirst();
                callback.settle(behind, settlements.notAttempted(behind));
            } else if (alone > 0 || left.size() == 1) {
                alone = Math.max(0, alone - 1);
                var taken = left.removeFirst();
                if (!alone(taken, callback)) {
                    taken.lane().ifPresent(waiting::add);
                }
            } else {
                alone = together(left, waiting, callback);
            }
        }
        if (apart.isEmpty()) {
            boolean inTime = callback.mayDeliver();
            rows.updateAndGet(count -> inTime ? Math.min(MOST_ROWS, 2 * count) : Math.max(1, count / 2));
        } else {
            rows.set(1);
        }
        left.forEach(taken -> callback.settle(taken, settlements.notAttempted(taken)));
    }

    /**
     * Returns the messages to release before any is handled, so that one which relays lost several times is alone, and whatever is lost from then
     * on is its own: the others of its batch if it is the first, and otherwise such messages with those behind them in their lanes.
     */
    private List<LeasedMessage> releasedFirst(List<LeasedMessage> batch) {
        if (batch.size() < 2) {
            return List.of();
        }
        if (settlements.mustBeAlone(batch.getFirst())) {
            return batch.subList(1, batch.size());
        }
        var released = new ArrayList<LeasedMessage>();
        var lanes = new HashSet<Integer>();
        for (var taken : batch) {
            if (settlements.mustBeAlone(taken) || waits(taken, lanes)) {
                released.add(taken);
                taken.lane().ifPresent(lanes::add);
            }
        }
        return released;
    }

    /** Releases messages in the store, and returns false if that failed. */
    private boolean release(List<LeasedMessage> some, Deque<LeasedMessage> left, DeliveryCallback callback) {
        Set<OutboxRowRef> written;
        try {
            written = store.settle(some.stream().map(settlements::notAttempted).toList());
        } catch (StoreException away) {
            return false;
        }
        left.removeAll(Set.copyOf(some));
        some.stream()
                .filter(taken -> written.contains(taken.row()))
                .forEach(taken -> callback.settled(taken, settlements.notAttempted(taken)));
        return true;
    }

    /** Returns whether an earlier message of its lane is neither delivered nor dead. */
    private static boolean waits(LeasedMessage taken, Set<Integer> waiting) {
        return taken.lane().isPresent() && waiting.contains(taken.lane().getAsInt());
    }

    /**
     * Handles the first messages in one transaction, and removes those that are settled.
     *
     * @return how many of the first have to be handled alone, because the transaction was rolled back
     */
    private int together(Deque<LeasedMessage> left, Set<Integer> waiting, DeliveryCallback callback) {
        var handled = new ArrayList<LeasedMessage>();
        long begun = environment.nanoTime();
        try (var transaction = store.begin(timeout)) {
            for (var taken : left) {
                boolean enough = environment.nanoTime() - begun > MOMENT.toNanos();
                if (enough || waits(taken, waiting) || !callback.mayDeliver()) {
                    break;
                }
                handled.add(taken);
                handle(transaction.connection(), taken);
            }
            if (handled.isEmpty()) {
                return 1;
            }
            if (!transaction.settleAndCommit(
                    handled.stream().map(settlements::delivered).toList())) {
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
            callback.settled(taken, settlements.delivered(taken));
        });
        return 0;
    }

    /** Handles one message alone, and returns whether the next of its lane may follow. */
    private boolean alone(LeasedMessage taken, DeliveryCallback callback) {
        if (settlements.exceedsAttempts(taken)) {
            callback.settle(taken, settlements.lostByRelays(taken));
            return true;
        }
        try {
            if (!handledAlone(taken)) {
                // Somebody else has it now.
                return false;
            }
            callback.settled(taken, settlements.delivered(taken));
            return true;
        } catch (RetryLaterException later) {
            callback.settle(taken, settlements.notSent(taken, later.retryAfter(), later));
        } catch (StoreException away) {
            if (away.effect() == StoreException.Effect.NONE) {
                callback.settle(
                        taken,
                        away.isTransient()
                                ? settlements.notSent(taken, STORE_AWAY, away)
                                : settlements.refused(taken, away));
            }
            // Otherwise it may be committed: its lease will tell.
        } catch (Exception failed) {
            var settlement = settlements.refused(taken, failed);
            callback.settle(taken, settlement);
            return settlement instanceof MessageSettlement.Dead;
        }
        return false;
    }

    /** Handles one message, with retries for races lost at the database. */
    private boolean handledAlone(LeasedMessage taken) throws Exception {
        for (int tries = 1; ; tries++) {
            try (var transaction = store.begin(timeout)) {
                try {
                    handle(transaction.connection(), taken);
                    return transaction.settleAndCommit(List.of(settlements.delivered(taken)));
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
                environment,
                settlements.topic().timeout(),
                () -> handler.handle(tx, new MessageDelivery(taken, codec)));
    }
}
