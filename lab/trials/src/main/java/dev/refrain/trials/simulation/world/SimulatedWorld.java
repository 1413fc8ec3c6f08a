package dev.refrain.trials.simulation.world;

import dev.refrain.api.ScopedKey;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.Store;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.law.TimedRecordSnapshot;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
import dev.refrain.trials.simulation.machine.SimulationScheduler;
import dev.refrain.trials.simulation.machine.SimulationTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** World made from one seed and run to its end. Not thread-safe: a world is one thread's. */
public final class SimulatedWorld {

    private static final Duration LONGEST_LYING = Duration.ofSeconds(12);

    /** Mixed into the seed for faults of the store's clock, so that they do not change everything else in a world. */
    private static final long CLOCK_FAULTS = 3_000_017;

    private final long seed;
    private final SeededRandom chance;
    private final SimulationPlan plan;
    private final SimulationScheduler scheduler;
    private final SimulatedThreadGroup outside;
    private final CurrentFaultRates weather;
    private final InvariantChecker law;
    private final SimulatedStoreClock clock;
    private final Store store;
    private final RecordChangeObserver eyes;
    private final SimulatedDatabase database;
    private final SimulatedProvider provider;
    private final SimulatedDownstream hooks;
    private final SimulationMutation tampering;
    private final Optional<SimulatedDownstream> sagaBank;
    private final Optional<SimulatedDownstream> printer;
    private final SimulatedLedgerTable ledgerTable;
    private final Optional<SimulatedLedgerBank> ledgerBank;
    private final Map<SimulatedOperation, SimulatedDownstream> banks = new HashMap<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<String, Integer> heard = new TreeMap<>();
    private int numbered;

    /** Kind of a world. */
    public enum Kind {
        /** Operations, or flows with messages. */
        OPERATIONS,
        /** Sagas with calls and jobs. */
        SAGAS,
        /** Flows whose calls a reconciler looks for in a ledger. */
        LEDGERS,
        /** Relays whose deliveries stall for longer than their leases. */
        RELAYS;

        SimulationPlan plan(SeededRandom chance) {
            return switch (this) {
                case OPERATIONS -> SimulationPlan.by(chance);
                case SAGAS -> SimulationPlan.ofSagas(chance);
                case LEDGERS -> SimulationPlan.ofLedgers(chance);
                case RELAYS -> SimulationPlan.ofRelays(chance);
            };
        }
    }

    public SimulatedWorld(
            Kind kind, long seed, InvariantChecker law, SimulationTrace trace, SimulationMutation tampering) {
        this.seed = seed;
        this.tampering = tampering;
        this.chance = new SeededRandom(seed);
        this.law = law;
        plan = kind.plan(chance.split());
        scheduler = new SimulationScheduler(chance.split(), trace);
        outside = scheduler.domain("world");
        weather = new CurrentFaultRates(plan.faults());
        clock = new SimulatedStoreClock(scheduler);
        store = tampering.store().apply(new MemoryStore(clock), clock);
        eyes = new RecordChangeObserver(store, clock, law, plan.identities());
        database = new SimulatedDatabase(
                store, eyes, new SimulatedMessageTable(clock, law), law, chance.split(), tampering.forgetsJoined());
        provider = new SimulatedProvider(law);
        hooks = new SimulatedDownstream(plan.hooks(), law, scheduler, clock);
        for (var service : plan.services()) {
            service.bank()
                    .ifPresent(nature -> banks.put(service, new SimulatedDownstream(nature, law, scheduler, clock)));
        }
        ledgerTable = new SimulatedLedgerTable(clock);
        ledgerBank = plan.ledgers().map(ledgers -> new SimulatedLedgerBank(scheduler, ledgers));
        sagaBank = plan.sagas().map(sagas -> new SimulatedDownstream(sagas.bank(), law, scheduler, clock));
        printer = plan.sagas().map(sagas -> new SimulatedDownstream(sagas.printer(), law, scheduler, clock));
        for (int i = 1; i <= plan.nodes(); i++) {
            nodes.add(new SimulatedNode(this, i));
        }
    }

    /** Runs until the end, or until a rule is violated. */
    public SimulatedWorld live() {
        outside.trace(() -> plan.toString());
        law.check(new SimulationEvent.WorldBegan(
                banks.entrySet().stream()
                        .collect(Collectors.toMap(
                                e -> e.getKey().name(),
                                e -> e.getValue().nature().offer())),
                plan.hooks().offer(),
                plan.quota()));
        scheduler.leaveThreadsLying(plan.faults().lying(), LONGEST_LYING);
        nodes.forEach(SimulatedNode::boot);
        if (plan.sagas().isPresent()) {
            startSagaTraffic();
        } else if (plan.ledgers().isPresent()) {
            startTransfers();
        } else if (plan.relays().isPresent()) {
            startStaging(plan.relays().get());
        } else {
            startTraffic();
        }
        var trouble = new ProcessFaultInjector(this, chance.split());
        trouble.scheduleFaults();
        trouble.deploy();
        if (!plan.services().isEmpty()) {
            trouble.letStoreClockBeAhead(new SeededRandom(~seed + CLOCK_FAULTS));
        }
        runUntil(plan.calmFrom());
        weather.calm();
        database.noticeDeadProcesses();
        scheduler.leaveThreadsLying(0, Duration.ZERO);
        nodes.forEach(SimulatedNode::boot);
        // What was still shutting down when the weather turned is down by then.
        runUntil(plan.calmFrom().plus(Duration.ofMinutes(1)));
        nodes.forEach(SimulatedNode::boot);
        runUntil(plan.end());
        if (!law.isBroken()) {
            law.check(end());
        }
        return this;
    }

    private void startTraffic() {
        for (int i = 0; i < plan.clients(); i++) {
            var client = new SimulatedClient(this, chance.split());
            outside.start("client", client::live);
        }
        outside.start("on call", new OnCallOperator(this, chance.split())::watch);
    }

    private void startStaging(RelayPlan relays) {
        law.check(new SimulationEvent.RelaysBegan(relays.maxAttempts()));
        for (var topic : List.of(SimulatedRelays.HANDLED, SimulatedRelays.SENT)) {
            var traffic = new RelayTraffic(this, chance.split());
            outside.start("application", () -> traffic.stage(topic));
        }
    }

    private void startSagaTraffic() {
        for (int i = 0; i < plan.clients(); i++) {
            outside.start("client", new SagaTraffic(this, chance.split())::order);
        }
        outside.start("on call", new SagaTraffic(this, chance.split())::decide);
    }

    private void startTransfers() {
        for (int i = 0; i < plan.clients(); i++) {
            outside.start("client", new TransferTraffic(this, chance.split())::transfer);
        }
        outside.start("bank", new TransferTraffic(this, chance.split())::stray);
        outside.start("look", new TransferTraffic(this, chance.split())::look);
    }

    private void runUntil(Duration moment) {
        try {
            scheduler.runUntil(moment.toNanos(), law::isBroken);
        } catch (IllegalStateException livelock) {
            law.reportViolation("Livelock", String.valueOf(livelock.getMessage()));
        }
    }

    private SimulationEvent end() {
        var records = new LinkedHashMap<ScopedKey, TimedRecordSnapshot>();
        plan.identities().forEach(identity -> eyes.look(identity).ifPresent(seen -> records.put(identity, seen)));
        var open = nodes.stream()
                .flatMap(node -> node.process().stream())
                .flatMap(p -> p.open().stream())
                .toList();
        return new SimulationEvent.WorldEnded(records, open);
    }

    /** Returns the number of events of each kind, which shows what a world was about. */
    public Map<String, Integer> events() {
        return heard;
    }

    public long steps() {
        return scheduler.steps();
    }

    public InvariantChecker law() {
        return law;
    }

    SimulationPlan plan() {
        return plan;
    }

    SeededRandom chance() {
        return chance;
    }

    SimulationScheduler scheduler() {
        return scheduler;
    }

    /** Returns the threads of clients, operators and faults. */
    SimulatedThreadGroup outside() {
        return outside;
    }

    CurrentFaultRates weather() {
        return weather;
    }

    SimulatedStoreClock clock() {
        return clock;
    }

    Store store() {
        return store;
    }

    /** Returns the database that holds the store's records. */
    SimulatedDatabase database() {
        return database;
    }

    RecordChangeObserver eyes() {
        return eyes;
    }

    SimulatedProvider provider() {
        return provider;
    }

    /** Returns the downstream of a flow. */
    SimulatedDownstream bank(SimulatedOperation flow) {
        return Objects.requireNonNull(banks.get(flow));
    }

    /** Returns the downstream of the sagas. */
    SimulatedDownstream sagaBank() {
        return sagaBank.orElseThrow();
    }

    /** Returns the printer of the sagas' labels. */
    SimulatedDownstream printer() {
        return printer.orElseThrow();
    }

    /** Returns the bank whose ledger is read. */
    SimulatedLedgerBank ledgerBank() {
        return ledgerBank.orElseThrow();
    }

    SimulatedLedgerTable ledgerTable() {
        return ledgerTable;
    }

    /** Returns the downstream of the relays. */
    SimulatedDownstream hooks() {
        return hooks;
    }

    SimulationMutation tampering() {
        return tampering;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    int nextNumber() {
        return ++numbered;
    }

    void heard(RefrainEvent event) {
        heard.merge(event.getClass().getSimpleName(), 1, Integer::sum);
    }

    Duration age() {
        return Duration.ofNanos(scheduler.now());
    }

    void sleepUntil(Duration moment) {
        outside.sleep(moment.minus(age()));
    }

    /** Returns how much longer than usual anything may take in this world. */
    Duration disturbance() {
        return LONGEST_LYING.multipliedBy(plan.faults().lying());
    }
}
