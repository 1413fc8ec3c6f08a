package dev.refrain.trials.simulation.world;

import dev.refrain.observe.Event;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Law;
import dev.refrain.trials.simulation.machine.Chance;
import dev.refrain.trials.simulation.machine.Domain;
import dev.refrain.trials.simulation.machine.Scheduler;
import dev.refrain.trials.simulation.machine.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Everything there is, made from one seed, and lived through to its end. Not thread-safe: a world is one thread's. */
public final class World {

    private static final Duration LONGEST_LYING = Duration.ofSeconds(12);

    private final Chance chance;
    private final Plan plan;
    private final Scheduler scheduler;
    private final Domain outside;
    private final Weather weather;
    private final Law law;
    private final StoreClock clock;
    private final Store store;
    private final Eyes eyes;
    private final Database database;
    private final Provider provider;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Integer> heard = new TreeMap<>();
    private int numbered;

    /** @param tampering what is done to the store before anyone uses it; nothing, unless the law itself is on trial */
    public World(long seed, Law law, Trace trace, UnaryOperator<Store> tampering) {
        this.chance = new Chance(seed);
        this.law = law;
        plan = Plan.by(chance.split());
        scheduler = new Scheduler(chance.split(), trace);
        outside = scheduler.domain("world");
        weather = new Weather(plan.faults());
        clock = new StoreClock(scheduler);
        store = tampering.apply(new MemoryStore(clock));
        eyes = new Eyes(store, clock, law, plan.identities());
        database = new Database(store, eyes, law, chance.split());
        provider = new Provider(law);
        for (int i = 1; i <= plan.nodes(); i++) {
            nodes.add(new Node(this, i));
        }
    }

    /** Lives until the end, or until the law is broken. */
    public World live() {
        outside.trace(() -> plan.toString());
        scheduler.leaveThreadsLying(plan.faults().lying(), LONGEST_LYING);
        nodes.forEach(Node::boot);
        for (int i = 0; i < plan.clients(); i++) {
            var client = new Client(this, chance.split());
            outside.start("client", client::live);
        }
        outside.start("on call", new OnCall(this, chance.split())::watch);
        var trouble = new Trouble(this, chance.split());
        trouble.brew();
        trouble.deploy();
        runUntil(plan.calmFrom());
        weather.calm();
        scheduler.leaveThreadsLying(0, Duration.ZERO);
        nodes.forEach(Node::boot);
        // What was still shutting down when the weather turned is down by then.
        runUntil(plan.calmFrom().plus(Duration.ofMinutes(1)));
        nodes.forEach(Node::boot);
        runUntil(plan.end());
        if (!law.isBroken()) {
            law.judge(end());
        }
        return this;
    }

    private void runUntil(Duration moment) {
        try {
            scheduler.runUntil(moment.toNanos(), law::isBroken);
        } catch (IllegalStateException livelock) {
            law.broken("Livelock", String.valueOf(livelock.getMessage()));
        }
    }

    private Happening end() {
        var records = plan.identities().stream()
                .map(eyes::look)
                .flatMap(Optional::stream)
                .toList();
        var open = nodes.stream()
                .flatMap(node -> node.process().stream())
                .flatMap(p -> p.open().stream())
                .toList();
        return new Happening.WorldEnded(records, open);
    }

    /** How often each kind of event was heard: shows what a world was about. */
    public Map<String, Integer> events() {
        return heard;
    }

    public long steps() {
        return scheduler.steps();
    }

    public Law law() {
        return law;
    }

    Plan plan() {
        return plan;
    }

    Chance chance() {
        return chance;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Where clients, people and bad luck live. */
    Domain outside() {
        return outside;
    }

    Weather weather() {
        return weather;
    }

    StoreClock clock() {
        return clock;
    }

    Store store() {
        return store;
    }

    /** The database that the store's records are in. */
    Database database() {
        return database;
    }

    Eyes eyes() {
        return eyes;
    }

    Provider provider() {
        return provider;
    }

    List<Node> nodes() {
        return nodes;
    }

    int nextNumber() {
        return ++numbered;
    }

    void heard(Event event) {
        heard.merge(event.getClass().getSimpleName(), 1, Integer::sum);
    }

    Duration age() {
        return Duration.ofNanos(scheduler.now());
    }

    void sleepUntil(Duration moment) {
        outside.sleep(moment.minus(age()));
    }

    /** By how much longer than usual anything may take in this world. */
    Duration disturbance() {
        return LONGEST_LYING.multipliedBy(plan.faults().lying());
    }
}
