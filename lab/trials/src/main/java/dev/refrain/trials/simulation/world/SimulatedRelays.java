package dev.refrain.trials.simulation.world;

import dev.refrain.Refrain;
import dev.refrain.api.Downstream;
import dev.refrain.outbox.DeliveryBackoff;
import dev.refrain.outbox.MessageDelivery;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.TopicSettings;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.law.SimulationEvent.Acted;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.world.SimulatedWork.WorkFailed;
import java.time.Duration;

/** Relay of one process, whose handler and target stall for longer than their leases, and heed no interrupt. */
final class SimulatedRelays {

    static final String HANDLED = "handled";
    static final String SENT = "sent";

    /** Prefix of the bodies of messages that stall. */
    static final String STALLS = "stalls ";

    /** Prefix of the bodies of messages that fail. */
    static final String FAILS = "fails ";

    private static final DeliveryBackoff BACKOFF = new DeliveryBackoff(Duration.ofMillis(200), Duration.ofSeconds(1));

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final RelayPlan plan;
    private final SeededRandom chance;
    private final Relay relay;

    SimulatedRelays(SimulatedWorld world, SimulatedProcess process, SeededRandom chance, Refrain refrain) {
        this.world = world;
        this.process = process;
        this.chance = chance;
        plan = world.plan().relays().orElseThrow();
        var store = world.tampering()
                .outbox()
                .over(new SimulatedOutbox(world.database(), process.line(), process.domain()));
        relay = Relay.on(refrain, store)
                .handle(topic(HANDLED), this::handle)
                .sendTo(topic(SENT), Downstream.honoursKeysForEver(), this::send)
                .pollInterval(chance.between(Duration.ofMillis(500), Duration.ofSeconds(3)))
                .start();
    }

    private TopicSettings topic(String name) {
        return TopicSettings.of(name)
                .timeout(plan.within())
                .maxAttempts(plan.maxAttempts())
                .backoff(BACKOFF)
                .lease(plan.lease())
                .maxConcurrent(chance.between(1, 3));
    }

    private void handle(SimulatedDatabase.Bookings tx, MessageDelivery delivery) throws Exception {
        begin(delivery);
        tx.insert(delivery.topic() + SimulationEvent.Inserted.BY_HANDLER, delivery.id());
    }

    private void send(MessageDelivery delivery) throws Exception {
        begin(delivery);
        world.law()
                .check(new SimulationEvent.Acted(
                        delivery.topic(), world.plan().hooks().offer(), Acted.By.RELAY, delivery.id(), true));
    }

    private void begin(MessageDelivery delivery) throws WorkFailed {
        world.law().check(new SimulationEvent.Tried(delivery.id()));
        boolean stalls = delivery.bodyText().startsWith(STALLS);
        process.domain().sleep(stalls ? plan.stall(chance) : chance.upTo(Duration.ofMillis(20)));
        if (delivery.bodyText().startsWith(FAILS)) {
            throw new WorkFailed("in a delivery");
        }
    }

    void close(Duration toFinish) {
        relay.close(toFinish);
    }
}
