package dev.refrain.trials.simulation.world;

import dev.refrain.Call;
import dev.refrain.Leased;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.Transactional;
import dev.refrain.flow.Flow;
import dev.refrain.flow.Flows;
import dev.refrain.observe.Event;
import dev.refrain.outcome.Outcome;
import dev.refrain.run.RunResult;
import dev.refrain.trials.simulation.law.Attempt;
import dev.refrain.trials.simulation.law.Ending;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Happening.Patience;
import dev.refrain.trials.simulation.law.Run;
import dev.refrain.trials.simulation.law.Runner;
import dev.refrain.trials.simulation.machine.Domain;
import dev.refrain.trials.simulation.machine.SimulatedEnvironment;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** One process from its start to its end, with a Refrain of its own. */
final class SimulatedProcess implements Runner {

    /** Well within what the cache leaves for clocks that run at different speeds. */
    private static final int SPEEDS_DIFFER = 3_000;

    /** Longer than any lease: what went wrong before that is settled. */
    private static final Duration PEACE_BEFORE_SHUTDOWN = Duration.ofSeconds(15);

    private static final Duration PEACE_BEFORE_ANSWER = Duration.ofSeconds(2);

    private final World world;
    private final Domain domain;
    private final SimulatedEnvironment environment;
    private final BadLine line;
    private final ForeignLine foreign;
    private final Refrain refrain;
    private final Map<Service, Leased<Outcome.Answer>> leased = new HashMap<>();
    private final Map<Service, Transactional<Outcome.Answer, Database.Bookings>> transactional = new HashMap<>();
    private final Map<Service, SimulatedFlow> flowing = new HashMap<>();
    private final SimulatedTransactions transactions;
    private final Flows<Database.Bookings> flows;
    private final Optional<Mail> mail;
    private final Set<Attempt> open = new LinkedHashSet<>();
    private Duration lostTime = Duration.ZERO;
    private int toldOfFailingOpen;

    SimulatedProcess(World world, Domain domain) {
        this.world = world;
        this.domain = domain;
        var chance = world.chance().split();
        environment = new SimulatedEnvironment(
                world.scheduler(), domain, chance.split(), chance.between(-SPEEDS_DIFFER, SPEEDS_DIFFER));
        line = new BadLine(domain, world.outside(), chance.split(), world.weather());
        var store =
                new FaultyStore(new ObservedStore(world.store(), world.eyes(), world.database(), domain.name()), line);
        refrain = Refrain.using(store, settings());
        transactions = new SimulatedTransactions(store, world.database(), line, domain);
        flows = Flows.on(refrain, transactions);
        foreign = new ForeignLine(domain, world.outside(), chance.split(), world.weather());
        for (var service : world.plan().services()) {
            if (service.bank().isPresent()) {
                flowing.put(service, new SimulatedFlow(world, this, service, chance.split()));
            } else {
                leased.put(service, service.leased(refrain));
                transactional.put(service, service.of(refrain).transactional(transactions));
            }
        }
        mail = flowing.isEmpty()
                ? Optional.empty()
                : Optional.of(new Mail(world, this, chance.split(), environment, this::heard));
        complete();
    }

    private Settings settings() {
        var settings = Settings.defaults()
                .with(environment)
                .with(world.plan().cache())
                .with(world.plan().chores())
                .with(this::heard);
        var quota = world.plan().quota();
        return quota.isPresent() ? settings.maxKeysPerScope(quota.getAsLong()) : settings;
    }

    /** From now on, on every process at once. */
    private void complete() {
        var all = world.plan().services().stream()
                .filter(flowing::containsKey)
                .<Flow<?, Database.Bookings>>map(service -> flowing(service).flow())
                .toList();
        if (!all.isEmpty()) {
            flows.startCompleter(world.plan().completion(), all);
        }
    }

    Domain domain() {
        return domain;
    }

    Refrain refrain() {
        return refrain;
    }

    BadLine line() {
        return line;
    }

    ForeignLine foreign() {
        return foreign;
    }

    SimulatedEnvironment environment() {
        return environment;
    }

    @Override
    public boolean made(UUID nonce) {
        return environment.made(nonce);
    }

    @Override
    public boolean inPeaceFor(Duration time) {
        return !domain.isDead() && domain.undisturbedFor(time);
    }

    List<Attempt> open() {
        return domain.isDead() ? List.of() : List.copyOf(open);
    }

    /** The whole process stood still for that long. */
    void lost(Duration time) {
        lostTime = lostTime.plus(time);
        domain.heldUp(time);
    }

    /** Serves one call; whoever made it may be gone before it ends. */
    void serve(Service service, Call call, Attempt attempt, Consumer<Ending> answer) {
        domain.start("call", () -> {
            domain.trace(() -> attempt + " begins");
            open.add(attempt);
            world.law().check(new Happening.Called(attempt, this));
            var lostBefore = lostTime;
            var work = new SimulatedWork(world, this, service, attempt);
            var ending = attempt(service, call, attempt, work);
            open.remove(attempt);
            domain.trace(() -> attempt + " ends: " + ending);
            if (work.run().filter(Run::unprotected).isPresent()) {
                // Nothing is promised of what it gave.
                answer.accept(ending);
                return;
            }
            var took = Duration.ofNanos(world.scheduler().now() - attempt.begunNanos());
            var run = attempt.mode() == Attempt.Mode.FLOW ? flowing(service).run() : work.run();
            boolean onlyWaited = attempt.mode() != Attempt.Mode.FLOW && run.isEmpty() && domain.undisturbedFor(took);
            var atMost = onlyWaited
                    ? service.longestWait()
                    : service.longestCall().plus(lostTime).minus(lostBefore).plus(world.disturbance());
            var lag = environment.stoodStill().plus(world.clock().stepped());
            var patience = new Patience(took, atMost, lag, domain.undisturbedFor(PEACE_BEFORE_ANSWER));
            world.law().check(new Happening.Answered(attempt, run, ending, patience));
            answer.accept(ending);
        });
    }

    private Ending attempt(Service service, Call call, Attempt attempt, SimulatedWork work) {
        try {
            return new Ending.Result(
                    switch (attempt.mode()) {
                        case LEASED -> leased(service).runForResult(call, work::leased);
                        case TRANSACTIONAL -> transactional(service).runForResult(call, work::transactional);
                        case WITHIN -> within(service, call, work);
                        case FLOW ->
                            flows.run(flowing(service).flow(), SimulatedFlow.request(attempt), service.lease());
                    });
        } catch (Exception failure) {
            return new Ending.Failed(failure);
        }
    }

    Mail mail() {
        return mail.orElseThrow();
    }

    /** As a part of a transaction that whoever calls commits only if it ran. */
    private RunResult within(Service service, Call call, SimulatedWork work) throws Exception {
        try (var caller = transactions.beginOfCaller()) {
            var result = transactional(service).runInTransactionForResult(caller.connection(), call, work::transactional);
            if (result instanceof RunResult.Ran) {
                caller.commit();
            }
            return result;
        }
    }

    private SimulatedFlow flowing(Service service) {
        return Objects.requireNonNull(flowing.get(service));
    }

    private Leased<Outcome.Answer> leased(Service service) {
        return Objects.requireNonNull(leased.get(service));
    }

    private Transactional<Outcome.Answer, Database.Bookings> transactional(Service service) {
        return Objects.requireNonNull(transactional.get(service));
    }

    /** Ends the process as a deploy does, and tells whether it was left in peace meanwhile. */
    void shutDown(Duration toFinish) {
        domain.start("shutdown", () -> {
            domain.trace(() -> "SHUTDOWN begins");
            var begun = world.age();
            mail.ifPresent(relaying -> relaying.close(toFinish));
            var left = refrain.close(toFinish);
            domain.trace(() -> "SHUTDOWN ends, left: " + left);
            boolean undisturbed = domain.undisturbedFor(world.age().minus(begun).plus(PEACE_BEFORE_SHUTDOWN));
            world.law().check(new Happening.ShutDown(domain.name(), this, left, undisturbed));
            domain.killSelf();
        });
    }

    /** Whether it was told that a run without protection begins; each is told once. */
    boolean wasToldOfFailingOpen() {
        return toldOfFailingOpen-- > 0;
    }

    private void heard(Event event) {
        if (event instanceof Event.FailedOpen) {
            toldOfFailingOpen++;
        }
        world.heard(event);
        domain.trace(() -> "heard " + event);
        environment.mayYield();
    }
}
