package dev.refrain.outbox;

import dev.refrain.Refrain;
import dev.refrain.ValueCodec;
import dev.refrain.api.Downstream;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.NotSentException;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageSettlement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends messages to another system. That it is about to be sent was stored when the row was taken; whether it is sent again is decided by
 * what the other side offers.
 */
final class TargetDispatcher implements MessageDispatcher {

    private static final int IN_LANE = 10;

    private final SettlementFactory endings;
    private final Downstream<MessageDelivery, ?> downstream;
    private final OutboxTarget target;
    private final ValueCodec codec;
    private final ExecutionEnvironment environment;

    TargetDispatcher(
            TopicSettings topic, Downstream<MessageDelivery, ?> downstream, OutboxTarget target, Refrain refrain) {
        this.endings = new SettlementFactory(topic, refrain.environment());
        this.downstream = downstream;
        this.target = target;
        this.codec = refrain.codec();
        this.environment = refrain.environment();
    }

    @Override
    public int rowsToTake(int parcels) {
        return parcels;
    }

    /** Of a row that is only waiting behind another, a crash would not know that it was not sent: where that matters, none waits. */
    @Override
    public int maxRowsPerLane() {
        return downstream instanceof Downstream.NotRetryable ? 1 : IN_LANE;
    }

    @Override
    public List<List<LeasedMessage>> batches(List<LeasedMessage> taken, int most) {
        var lanes = new LinkedHashMap<Integer, List<LeasedMessage>>();
        var parcels = new ArrayList<List<LeasedMessage>>();
        for (var each : taken) {
            if (each.lane().isPresent()) {
                lanes.computeIfAbsent(each.lane().getAsInt(), lane -> new ArrayList<>())
                        .add(each);
            } else {
                parcels.add(List.of(each));
            }
        }
        parcels.addAll(lanes.values());
        return parcels;
    }

    @Override
    public void deliver(List<LeasedMessage> parcel, DeliveryCallback desk) {
        boolean goOn = true;
        for (var taken : parcel) {
            var settlement = goOn && desk.open() ? settlement(taken, desk) : endings.notAttempted(taken);
            desk.settle(taken, settlement);
            // What comes behind it in its lane waits until it is delivered or dead.
            goOn = settlement instanceof MessageSettlement.Delivered || settlement instanceof MessageSettlement.Dead;
        }
    }

    private MessageSettlement settlement(LeasedMessage taken, DeliveryCallback desk) {
        var delivery = new MessageDelivery(taken, codec);
        if (!taken.mayHaveArrived()) {
            return sent(taken, delivery, desk);
        }
        return switch (downstream) {
            case Downstream.HonoursKeys<MessageDelivery, ?> honours ->
                remembered(taken, honours)
                        ? sent(taken, delivery, desk)
                        : endings.unknown(taken, "the other side may have forgotten its key by the time it arrives");
            case Downstream.Queryable<MessageDelivery, ?> looked -> lookedUp(taken, delivery, looked, desk);
            case Downstream.NotRetryable<MessageDelivery, ?> blind ->
                endings.unknown(taken, "the other side can neither be asked nor told twice");
        };
    }

    /** Until it has arrived, which is before its lease ends, and not only when it was taken. */
    private boolean remembered(LeasedMessage taken, Downstream.HonoursKeys<MessageDelivery, ?> honours) {
        var atTheLatest = taken.unresolvedSince().plus(endings.topic().lease());
        return honours.memory().isEmpty()
                || atTheLatest.compareTo(honours.memory().get()) < 0;
    }

    private MessageSettlement lookedUp(
            LeasedMessage taken,
            MessageDelivery delivery,
            Downstream.Queryable<MessageDelivery, ?> looked,
            DeliveryCallback desk) {
        var found = new AtomicBoolean();
        try {
            DeliveryWatchdog.runWithTimeout(
                    environment,
                    endings.topic().timeout(),
                    () -> found.set(looked.lookup().find(delivery).isPresent()));
        } catch (Exception notNow) {
            // This attempt sent nothing, but it counts: a lookup that never answers must not go on for ever.
            return endings.refused(taken, notNow);
        }
        if (found.get()) {
            return endings.delivered(taken);
        }
        return desk.open() ? sent(taken, delivery, desk) : endings.notAttempted(taken);
    }

    private MessageSettlement sent(LeasedMessage taken, MessageDelivery delivery, DeliveryCallback desk) {
        if (endings.exceedsAttempts(taken)) {
            return endings.lostByRelays(taken);
        }
        try {
            DeliveryWatchdog.runWithTimeout(environment, endings.topic().timeout(), () -> target.send(delivery));
            desk.reached();
            return endings.delivered(taken);
        } catch (NotSentException nothing) {
            return endings.notSent(taken, desk.unreachable(), nothing);
        } catch (RetryLaterException later) {
            return endings.notSent(taken, later.retryAfter(), later);
        } catch (DeliveryRefusedException refused) {
            desk.reached();
            return endings.refused(taken, refused);
        } catch (InterruptedException stopped) {
            return downstream instanceof Downstream.Queryable
                    ? endings.interrupted(taken, stopped)
                    : unknown(taken, stopped);
        } catch (Exception unknown) {
            return unknown(taken, unknown);
        }
    }

    private MessageSettlement unknown(LeasedMessage taken, Exception thrown) {
        return downstream instanceof Downstream.NotRetryable
                ? endings.unknown(
                        taken,
                        "the other side can neither be asked nor told twice (" + SettlementFactory.reason(thrown) + ")")
                : endings.failed(taken, thrown);
    }
}
