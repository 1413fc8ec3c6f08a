package dev.refrain.trials.simulation.world;

import dev.refrain.key.Identity;
import dev.refrain.observe.Event;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Law;
import dev.refrain.trials.simulation.law.Seen;
import dev.refrain.trials.simulation.machine.Chance;
import dev.refrain.trials.simulation.machine.Domain;
import dev.refrain.trials.simulation.machine.Scheduler;
import dev.refrain.trials.simulation.machine.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
    private final OtherSystem hooks;
    private final Tampering tampering;
    private final Map<Service, OtherSystem> banks = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Integer> heard = new TreeMap<>();
    private int numbered;

    public World(long seed, Law law, Trace trace, Tampering tampering) {
        this.tampering = tampering;
        this.chance = new Chance(seed);
        this.law = law;
        plan = Plan.by(chance.split());
        scheduler = new Scheduler(chance.split(), trace);
        outside = scheduler.domain("world");
        weather = new Weather(plan.faults());
        clock = new StoreClock(scheduler);
        store = tampering.store().apply(new MemoryStore(clock));
        eyes = new Eyes(store, clock, law, plan.identities());
        database = new Database(store, eyes, new MessageTable(clock, law), law, chance.split());
        provider = new Provider(law);
        hooks = new OtherSystem(plan.hooks(), law, scheduler);
        for (var service : plan.services()) {
            service.bank().ifPresent(nature -> banks.put(service, new OtherSystem(nature, law, scheduler)));
        }
        for (int i = 1; i <= plan.nodes(); i++) {
            nodes.add(new Node(this, i));
        }
    }

    /** Lives until the end, or until the law is broken. */
    public World live() {
        outside.trace(() -> plan.toString());
        law.check(new Happening.WorldBegan(
                banks.entrySet().stream()
                        .collect(Collectors.toMap(
                                e -> e.getKey().name(),
                                e -> e.getValue().nature().offer())),
                plan.hooks().offer(),
                plan.quota()));
        scheduler.leaveThreadsLying(plan.faults().lying(), LONGEST_LYING);
        nodes.forEach(Node::boot);
        for (int i = 0; i < plan.clients(); i++) {
            var client = new Client(this, chance.split());
            outside.start("client", client::live);
        }
        outside.start("on call", new OnCall(this, chance.split())::watch);
        var trouble = new Trouble(this, chance.split());
        trouble.scheduleFaults();
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
            law.check(end());
        }
        return this;
    }

    private void runUntil(Duration moment) {
        try {
            scheduler.runUntil(moment.toNanos(), law::isBroken);
        } catch (IllegalStateException livelock) {
            law.reportViolation("Livelock", String.valueOf(livelock.getMessage()));
        }
    }

    private Happening end() {
        var records = new LinkedHashMap<Identity, Seen>();
        plan.identities().forEach(identity -> eyes.look(identity).ifPresent(seen -> records.put(identity, seen)));
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

    /** What a flow calls. */
    OtherSystem bank(Service flow) {
        return Objects.requireNonNull(banks.get(flow));
    }

    /** What relays send messages to. */
    OtherSystem hooks() {
        return hooks;
    }

    Tampering tampering() {
        return tampering;
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
