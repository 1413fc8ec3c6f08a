package dev.refrain.outbox;

import dev.refrain.Refrain;
import dev.refrain.ValueCodec;
import dev.refrain.api.Downstream;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.NotSentException;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Delivers messages to another system. The lease of a row records that it may have been sent; the guarantee of the other system decides
 * whether it is sent again.
 */
final class TargetDispatcher implements MessageDispatcher {

    private final SettlementFactory settlements;
    private final Downstream<MessageDelivery, ?> downstream;
    private final OutboxTarget target;
    private final ValueCodec codec;
    private final ExecutionEnvironment environment;

    TargetDispatcher(
            TopicSettings topic, Downstream<MessageDelivery, ?> downstream, OutboxTarget target, Refrain refrain) {
        this.settlements =
                new SettlementFactory(topic, refrain.environment(), SettlementFactory.LostLease.MAY_HAVE_SENT);
        this.downstream = downstream;
        this.target = target;
        this.codec = refrain.codec();
        this.environment = refrain.environment();
    }

    @Override
    public int rowsToLease(int batches) {
        return batches;
    }

    /**
     * Returns 1: what is leased is sent at once. A row that only waited behind another would count as sent after a crash, or a delivery that
     * takes longer than its lease, and in time be a dead letter that was never sent.
     */
    @Override
    public int maxRowsPerLane() {
        return 1;
    }

    @Override
    public MessageLeaseRequest.Durability durability() {
        return MessageLeaseRequest.Durability.SURVIVES_CRASHES;
    }

    @Override
    public List<List<LeasedMessage>> batches(List<LeasedMessage> taken, int most) {
        var lanes = new LinkedHashMap<Integer, List<LeasedMessage>>();
        var batches = new ArrayList<List<LeasedMessage>>();
        for (var each : taken) {
            if (each.lane().isPresent()) {
                lanes.computeIfAbsent(each.lane().getAsInt(), lane -> new ArrayList<>())
                        .add(each);
            } else {
                batches.add(List.of(each));
            }
        }
        batches.addAll(lanes.values());
        return batches;
    }

    @Override
    public void deliver(List<LeasedMessage> batch, DeliveryCallback callback) {
        boolean goOn = true;
        for (var taken : batch) {
            var settlement =
                    goOn && callback.mayDeliver() ? settlement(taken, callback) : settlements.notAttempted(taken);
            callback.settle(taken, settlement);
            // The next one of its lane waits until this one is delivered or dead.
            goOn = settlement instanceof MessageSettlement.Delivered || settlement instanceof MessageSettlement.Dead;
        }
    }

    private MessageSettlement settlement(LeasedMessage taken, DeliveryCallback callback) {
        var delivery = new MessageDelivery(taken, codec);
        if (!taken.mayHaveArrived()) {
            return sent(taken, delivery, callback);
        }
        return switch (downstream) {
            case Downstream.HonoursKeys<MessageDelivery, ?> honours ->
                remembered(taken, honours)
                        ? sent(taken, delivery, callback)
                        : settlements.unknown(taken, "the other side may have forgotten its key");
            case Downstream.Queryable<MessageDelivery, ?> looked -> lookedUp(taken, delivery, looked, callback);
            case Downstream.NotRetryable<MessageDelivery, ?> blind ->
                settlements.unknown(taken, "the other side neither honours keys nor answers lookups");
        };
    }

    /** Returns whether the other side will still remember the key when the message arrives, at the end of its lease at the latest. */
    private boolean remembered(LeasedMessage taken, Downstream.HonoursKeys<MessageDelivery, ?> honours) {
        var atTheLatest = taken.unresolvedSince().plus(settlements.topic().lease());
        return honours.memory().isEmpty()
                || atTheLatest.compareTo(honours.memory().get()) < 0;
    }

    private MessageSettlement lookedUp(
            LeasedMessage taken,
            MessageDelivery delivery,
            Downstream.Queryable<MessageDelivery, ?> looked,
            DeliveryCallback callback) {
        var found = new AtomicBoolean();
        try {
            DeliveryWatchdog.runWithTimeout(
                    environment,
                    settlements.topic().timeout(),
                    () -> found.set(looked.lookup().find(delivery).isPresent()));
        } catch (Exception notNow) {
            // This attempt sent nothing, but it counts: a lookup that never answers must not go on for ever.
            return settlements.refused(taken, notNow);
        }
        if (found.get()) {
            return settlements.delivered(taken);
        }
        return callback.mayDeliver() ? sent(taken, delivery, callback) : settlements.notAttempted(taken);
    }

    private MessageSettlement sent(LeasedMessage taken, MessageDelivery delivery, DeliveryCallback callback) {
        if (settlements.exceedsAttempts(taken)) {
            return settlements.lostByRelays(taken);
        }
        try {
            DeliveryWatchdog.runWithTimeout(environment, settlements.topic().timeout(), () -> target.send(delivery));
            callback.reached();
            return settlements.delivered(taken);
        } catch (NotSentException nothing) {
            return settlements.notSent(taken, callback.unreachable(), nothing);
        } catch (RetryLaterException later) {
            return settlements.notSent(taken, later.retryAfter(), later);
        } catch (DeliveryRefusedException refused) {
            callback.reached();
            return settlements.refused(taken, refused);
        } catch (InterruptedException stopped) {
            return downstream instanceof Downstream.Queryable
                    ? settlements.interrupted(taken, stopped)
                    : unknown(taken, stopped);
        } catch (Exception unknown) {
            return unknown(taken, unknown);
        }
    }

    private MessageSettlement unknown(LeasedMessage taken, Exception thrown) {
        return downstream instanceof Downstream.NotRetryable
                ? settlements.unknown(
                        taken,
                        "the other side neither honours keys nor answers lookups (" + SettlementFactory.reason(thrown)
                                + ")")
                : settlements.failed(taken, thrown);
    }
}
