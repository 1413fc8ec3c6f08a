package dev.refrain.trials.simulation.world;

import dev.refrain.Refrain;
import dev.refrain.api.RecordId;
import dev.refrain.outbox.DeliveryBackoff;
import dev.refrain.outbox.MessageDelivery;
import dev.refrain.outbox.Outbox;
import dev.refrain.outbox.OutboxMessage;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.world.SimulatedWork.WorkFailed;
import java.time.Duration;

/** Messages of one process: receipts for a handler of its own, and hooks for a downstream. */
final class SimulatedMessaging {

    static final String RECEIPTS = "receipts";
    static final String HOOKS = "hooks";

    /** More attempts than any outage needs, so that messages become dead letters for other reasons only. */
    private static final int ATTEMPTS = 1_000;

    private static final DeliveryBackoff BACKOFF = new DeliveryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(8));

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final SeededRandom chance;
    private final Outbox<SimulatedDatabase.Bookings> outbox;
    private final Relay relay;

    SimulatedMessaging(SimulatedWorld world, SimulatedProcess process, SeededRandom chance, Refrain refrain) {
        this.world = world;
        this.process = process;
        this.chance = chance;
        OutboxStore<SimulatedDatabase.Bookings> store =
                new SimulatedOutbox(world.database(), process.line(), process.domain());
        var tampered = world.tampering().outbox().over(store);
        outbox = Outbox.on(refrain, tampered);
        var hooks = world.hooks().nature();
        relay = Relay.on(refrain, tampered)
                .handle(topic(RECEIPTS, hooks.within()), this::handle)
                .sendTo(
                        topic(HOOKS, hooks.within()),
                        hooks.downstream(
                                world.tampering().declared().apply(hooks.offer()),
                                delivery -> world.hooks().lookUp(process.foreign(), delivery.key())),
                        this::send)
                .pollInterval(chance.between(Duration.ofSeconds(10), Duration.ofSeconds(60)))
                .start();
    }

    private TopicSettings topic(String name, Duration within) {
        return TopicSettings.of(name)
                .timeout(within)
                .maxAttempts(ATTEMPTS)
                .backoff(BACKOFF)
                .lease(within.plus(chance.between(Duration.ofSeconds(2), Duration.ofSeconds(25))))
                .maxConcurrent(chance.between(1, 3));
    }

    void stage(SimulatedDatabase.Bookings tx, String topic, RecordId about) {
        var line = about.toString();
        outbox.stage(tx, OutboxMessage.of(topic, line).orderedBy(line));
    }

    private void send(MessageDelivery delivery) throws Exception {
        world.hooks().send(process.foreign(), process.domain(), delivery.id(), delivery.key());
    }

    private void handle(SimulatedDatabase.Bookings tx, MessageDelivery delivery) throws Exception {
        process.domain().nap(chance.upTo(Duration.ofMillis(chance.oneIn(12) ? 5_000 : 10)));
        tx.insert(delivery.topic() + SimulationEvent.Inserted.BY_HANDLER, delivery.id());
        switch (chance.below(40)) {
            case 0, 1 -> throw new WorkFailed("in a handler");
            case 2 -> throw new SimulatedPhase.LostRace();
            default -> {}
        }
    }

    void close(Duration toFinish) {
        relay.close(toFinish);
    }
}
