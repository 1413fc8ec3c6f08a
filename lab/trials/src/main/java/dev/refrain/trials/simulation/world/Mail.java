package dev.refrain.trials.simulation.world;

import dev.refrain.Environment;
import dev.refrain.flow.outbox.Backoff;
import dev.refrain.flow.outbox.Delivery;
import dev.refrain.flow.outbox.Message;
import dev.refrain.flow.outbox.Outbox;
import dev.refrain.flow.outbox.Relay;
import dev.refrain.flow.outbox.Topic;
import dev.refrain.key.RecordId;
import dev.refrain.observe.Listener;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.machine.Chance;
import dev.refrain.trials.simulation.world.SimulatedWork.WorkFailed;
import java.time.Duration;

/** What one process stages and relays: receipts for a handler of its own, and hooks for another system. */
final class Mail {

    static final String RECEIPTS = "receipts";
    static final String HOOKS = "hooks";

    /** Enough to outlast any bad weather: a message is given up for other reasons only. */
    private static final int ATTEMPTS = 1_000;

    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8));

    private final World world;
    private final SimulatedProcess process;
    private final Chance chance;
    private final Outbox<Database.Bookings> outbox;
    private final Relay relay;

    Mail(World world, SimulatedProcess process, Chance chance, Environment environment, Listener listener) {
        this.world = world;
        this.process = process;
        this.chance = chance;
        OutboxStore<Database.Bookings> store = new SimulatedOutbox(world.database(), process.line(), process.domain());
        var tampered = world.tampering().outbox().over(store);
        outbox = Outbox.on(tampered).with(environment);
        var hooks = world.hooks().nature();
        relay = Relay.on(tampered)
                .handle(topic(RECEIPTS, hooks.within()), this::handle)
                .sendTo(
                        topic(HOOKS, hooks.within()),
                        hooks.downstream(
                                world.tampering().declared().apply(hooks.offer()),
                                call -> world.hooks().lookUp(process.foreign(), call)),
                        this::send)
                .environment(environment)
                .listener(listener)
                .pollInterval(chance.between(Duration.ofSeconds(10), Duration.ofSeconds(60)))
                .start();
    }

    private Topic topic(String name, Duration within) {
        return Topic.of(name)
                .timeout(within)
                .maxAttempts(ATTEMPTS)
                .backoff(BACKOFF)
                .lease(within.plus(chance.between(Duration.ofSeconds(2), Duration.ofSeconds(25))))
                .maxConcurrent(chance.between(1, 3));
    }

    void stage(Database.Bookings tx, String topic, RecordId about) {
        var line = about.toString();
        outbox.stage(tx, Message.of(topic, line).orderedBy(line));
    }

    private void send(Delivery delivery) throws Exception {
        world.hooks().send(process.foreign(), process.domain(), delivery.id(), delivery.key());
    }

    private void handle(Database.Bookings tx, Delivery delivery) throws Exception {
        process.domain().nap(chance.upTo(Duration.ofMillis(chance.oneIn(12) ? 5_000 : 10)));
        tx.insert(delivery.topic() + Happening.Inserted.BY_HANDLER, delivery.id());
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
