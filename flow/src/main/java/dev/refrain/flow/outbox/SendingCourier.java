package dev.refrain.flow.outbox;

import dev.refrain.Environment;
import dev.refrain.flow.Downstream;
import dev.refrain.flow.NotSentException;
import dev.refrain.flow.Outgoing;
import dev.refrain.outcome.Codec;
import dev.refrain.run.PutOffException;
import dev.refrain.store.outbox.Settlement;
import dev.refrain.store.outbox.Taken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends messages to another system. That it is about to be sent was stored when the row was taken; whether it is sent again is decided by
 * what the other side offers.
 */
final class SendingCourier implements Courier {

    private static final int IN_LANE = 10;

    private final Endings endings;
    private final Downstream<Delivery, ?> downstream;
    private final Target target;
    private final Codec codec;
    private final Environment environment;

    SendingCourier(
            Topic topic, Downstream<Delivery, ?> downstream, Target target, Codec codec, Environment environment) {
        this.endings = new Endings(topic, environment);
        this.downstream = downstream;
        this.target = target;
        this.codec = codec;
        this.environment = environment;
    }

    @Override
    public int rowsToTake(int parcels) {
        return parcels;
    }

    /** Of a row that is only waiting behind another, a crash would not know that it was not sent: where that matters, none waits. */
    @Override
    public int maxRowsPerLane() {
        return downstream instanceof Downstream.Blind ? 1 : IN_LANE;
    }

    @Override
    public List<List<Taken>> batches(List<Taken> taken, int most) {
        var lanes = new LinkedHashMap<Integer, List<Taken>>();
        var parcels = new ArrayList<List<Taken>>();
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
    public void deliver(List<Taken> parcel, Desk desk) {
        boolean goOn = true;
        for (var taken : parcel) {
            var settlement = goOn && desk.open() ? settlement(taken, desk) : endings.notAttempted(taken);
            desk.settle(taken, settlement);
            // What comes behind it in its lane waits until it is delivered or dead.
            goOn = settlement instanceof Settlement.Delivered || settlement instanceof Settlement.Dead;
        }
    }

    private Settlement settlement(Taken taken, Desk desk) {
        var delivery = new Delivery(taken, codec);
        if (!taken.mayHaveArrived()) {
            return sent(taken, delivery, desk);
        }
        return switch (downstream) {
            case Downstream.HonoursKeys<Delivery, ?> honours ->
                remembered(taken, honours)
                        ? sent(taken, delivery, desk)
                        : endings.unknown(taken, "the other side may have forgotten its key by the time it arrives");
            case Downstream.LookedUp<Delivery, ?> looked -> lookedUp(taken, delivery, looked, desk);
            case Downstream.Blind<Delivery, ?> blind ->
                endings.unknown(taken, "the other side can neither be asked nor told twice");
        };
    }

    /** Until it has arrived, which is before its lease ends, and not only when it was taken. */
    private boolean remembered(Taken taken, Downstream.HonoursKeys<Delivery, ?> honours) {
        var atTheLatest = taken.unresolvedSince().plus(endings.topic().lease());
        return honours.memory().isEmpty()
                || atTheLatest.compareTo(honours.memory().get()) < 0;
    }

    private Settlement lookedUp(Taken taken, Delivery delivery, Downstream.LookedUp<Delivery, ?> looked, Desk desk) {
        var call = Outgoing.forDelivery(taken.topic(), delivery.id(), delivery, codec, true);
        var found = new AtomicBoolean();
        try {
            Watchdog.runWithTimeout(
                    environment,
                    endings.topic().timeout(),
                    () -> found.set(looked.lookup().find(call).isPresent()));
        } catch (Exception notNow) {
            // This attempt sent nothing, but it counts: a lookup that never answers must not go on for ever.
            return endings.refused(taken, notNow);
        }
        if (found.get()) {
            return endings.delivered(taken);
        }
        return desk.open() ? sent(taken, delivery, desk) : endings.notAttempted(taken);
    }

    private Settlement sent(Taken taken, Delivery delivery, Desk desk) {
        if (endings.exceedsAttempts(taken)) {
            return endings.lostByRelays(taken);
        }
        try {
            Watchdog.runWithTimeout(environment, endings.topic().timeout(), () -> target.send(delivery));
            desk.reached();
            return endings.delivered(taken);
        } catch (NotSentException nothing) {
            return endings.notSent(taken, desk.unreachable(), nothing);
        } catch (PutOffException later) {
            return endings.notSent(taken, later.retryAfter(), later);
        } catch (DeliveryRefusedException refused) {
            desk.reached();
            return endings.refused(taken, refused);
        } catch (InterruptedException stopped) {
            return downstream instanceof Downstream.LookedUp
                    ? endings.interrupted(taken, stopped)
                    : unknown(taken, stopped);
        } catch (Exception unknown) {
            return unknown(taken, unknown);
        }
    }

    private Settlement unknown(Taken taken, Exception thrown) {
        return downstream instanceof Downstream.Blind
                ? endings.unknown(
                        taken, "the other side can neither be asked nor told twice (" + Endings.reason(thrown) + ")")
                : endings.failed(taken, thrown);
    }
}
