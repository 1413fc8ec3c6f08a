package dev.refrain.trials.simulation.world;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRunner;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.trials.simulation.law.ClientAttempt;
import dev.refrain.trials.simulation.law.ObservedEnding;
import dev.refrain.trials.simulation.law.ObservedProcess;
import dev.refrain.trials.simulation.law.SimulatedRun;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.law.SimulationEvent.Patience;
import dev.refrain.trials.simulation.machine.SimulatedEnvironment;
import dev.refrain.trials.simulation.machine.SimulatedThreadGroup;
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

/** Process from its start to its end, with a Refrain of its own. */
final class SimulatedProcess implements ObservedProcess {

    /** Difference of clock speeds, in parts per million, well within the margin of the cache. */
    private static final int SPEEDS_DIFFER = 3_000;

    /** Longer than any lease: earlier disturbances are settled after this time. */
    private static final Duration PEACE_BEFORE_SHUTDOWN = Duration.ofSeconds(15);

    private static final Duration PEACE_BEFORE_ANSWER = Duration.ofSeconds(2);

    private final SimulatedWorld world;
    private final SimulatedThreadGroup domain;
    private final SimulatedEnvironment environment;
    private final FaultyStoreLink line;
    private final FaultyForeignLink foreign;
    private final Refrain refrain;
    private final Map<SimulatedOperation, LeasedOperation<Outcome.Answer>> leased = new HashMap<>();
    private final Map<SimulatedOperation, TransactionalOperation<Outcome.Answer, SimulatedDatabase.Bookings>>
            transactional = new HashMap<>();
    private final Map<SimulatedOperation, SimulatedFlow> flowing = new HashMap<>();
    private final SimulatedTransactions transactions;
    private final FlowRunner<SimulatedDatabase.Bookings> flows;
    private final Optional<SimulatedMessaging> mail;
    private final Optional<SimulatedSagas> sagas;
    private final Optional<SimulatedTransfers> transfers;
    private final Optional<SimulatedRelays> relays;
    private final Set<ClientAttempt> open = new LinkedHashSet<>();
    private Duration lostTime = Duration.ZERO;
    private int toldOfFailingOpen;

    SimulatedProcess(SimulatedWorld world, SimulatedThreadGroup domain) {
        this.world = world;
        this.domain = domain;
        var chance = world.chance().split();
        environment = new SimulatedEnvironment(
                world.scheduler(), domain, chance.split(), chance.between(-SPEEDS_DIFFER, SPEEDS_DIFFER));
        line = new FaultyStoreLink(domain, world.outside(), chance.split(), world.weather());
        var store =
                new FaultyStore(new ObservedStore(world.store(), world.eyes(), world.database(), domain.name()), line);
        refrain = Refrain.using(store, settings());
        transactions = new SimulatedTransactions(store, world.database(), line, domain);
        flows = FlowRunner.on(refrain, transactions);
        foreign = new FaultyForeignLink(domain, world.outside(), chance.split(), world.weather());
        for (var service : world.plan().services()) {
            if (service.bank().isPresent()) {
                flowing.put(service, new SimulatedFlow(world, this, service, chance.split()));
            } else {
                leased.put(service, service.leased(refrain));
                transactional.put(
                        service,
                        service.transactional(refrain, world.tampering().maxRun(), transactions));
            }
        }
        mail = flowing.isEmpty()
                ? Optional.empty()
                : Optional.of(new SimulatedMessaging(world, this, chance.split(), refrain));
        sagas = world.plan().sagas().map(plan -> new SimulatedSagas(world, this, chance.split(), refrain, flows));
        transfers =
                world.plan().ledgers().map(plan -> new SimulatedTransfers(world, this, chance.split(), refrain, flows));
        relays = world.plan().relays().map(plan -> new SimulatedRelays(world, this, chance.split(), refrain));
        complete();
    }

    SimulatedTransfers transfers() {
        return transfers.orElseThrow();
    }

    SimulatedSagas sagas() {
        return sagas.orElseThrow();
    }

    private RefrainSettings settings() {
        var settings = RefrainSettings.defaults()
                .with(environment)
                .with(world.plan().cache())
                .with(world.plan().chores())
                .with(this::heard);
        var quota = world.plan().quota();
        return quota.isPresent() ? settings.maxKeysPerScope(quota.getAsLong()) : settings;
    }

    /** Starts the completer, as every process does. */
    private void complete() {
        var all = world.plan().services().stream()
                .filter(flowing::containsKey)
                .<Flow<?, ?, SimulatedDatabase.Bookings>>map(
                        service -> flowing(service).flow())
                .toList();
        if (!all.isEmpty()) {
            flows.startCompleter(world.plan().completion(), all);
        }
    }

    SimulatedThreadGroup domain() {
        return domain;
    }

    Refrain refrain() {
        return refrain;
    }

    FaultyStoreLink line() {
        return line;
    }

    FaultyForeignLink foreign() {
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

    List<ClientAttempt> open() {
        return domain.isDead() ? List.of() : List.copyOf(open);
    }

    /** Records that the whole process was paused for this long. */
    void lost(Duration time) {
        lostTime = lostTime.plus(time);
    }

    /** Serves one call, whose caller may be gone before it ends. */
    void serve(SimulatedOperation service, OperationCall call, ClientAttempt attempt, Consumer<ObservedEnding> answer) {
        domain.start("call", () -> {
            domain.trace(() -> attempt + " begins");
            open.add(attempt);
            world.law().check(new SimulationEvent.Called(attempt, this));
            var lostBefore = lostTime;
            var work = new SimulatedWork(world, this, service, attempt);
            var ending = attempt(service, call, attempt, work);
            open.remove(attempt);
            domain.trace(() -> attempt + " ends: " + ending);
            if (work.run().filter(SimulatedRun::unprotected).isPresent()) {
                // Nothing is promised of what it gave.
                answer.accept(ending);
                return;
            }
            var took = Duration.ofNanos(world.scheduler().now() - attempt.begunNanos());
            var run =
                    attempt.mode() == ClientAttempt.Mode.FLOW ? flowing(service).run() : work.run();
            boolean onlyWaited =
                    attempt.mode() != ClientAttempt.Mode.FLOW && run.isEmpty() && domain.undisturbedFor(took);
            var atMost = onlyWaited
                    ? service.longestWait()
                    : service.longestCall().plus(lostTime).minus(lostBefore).plus(world.disturbance());
            var lag = environment.stoodStill().plus(world.clock().stepped());
            var patience = new Patience(took, atMost, lag, domain.undisturbedFor(PEACE_BEFORE_ANSWER));
            world.law().check(new SimulationEvent.Answered(attempt, run, ending, patience));
            answer.accept(ending);
        });
    }

    private ObservedEnding attempt(
            SimulatedOperation service, OperationCall call, ClientAttempt attempt, SimulatedWork work) {
        try {
            return new ObservedEnding.Result(
                    switch (attempt.mode()) {
                        case LEASED -> leased(service).runForResult(call, work::leased);
                        case TRANSACTIONAL -> transactional(service).runForResult(call, work::transactional);
                        case WITHIN -> within(service, call, work);
                        case FLOW ->
                            flows.runForResult(
                                    flowing(service).flow(), SimulatedFlow.request(attempt), service.lease());
                    });
        } catch (Exception failure) {
            return new ObservedEnding.Failed(failure);
        }
    }

    SimulatedMessaging mail() {
        return mail.orElseThrow();
    }

    /** Runs the operation in a transaction that its caller commits only if it ran. */
    private OperationResult within(SimulatedOperation service, OperationCall call, SimulatedWork work)
            throws Exception {
        try (var caller = transactions.begin()) {
            var result =
                    transactional(service).runInTransactionForResult(caller.connection(), call, work::transactional);
            if (result instanceof OperationResult.Ran) {
                caller.commit();
            }
            return result;
        }
    }

    private SimulatedFlow flowing(SimulatedOperation service) {
        return Objects.requireNonNull(flowing.get(service));
    }

    private LeasedOperation<Outcome.Answer> leased(SimulatedOperation service) {
        return Objects.requireNonNull(leased.get(service));
    }

    private TransactionalOperation<Outcome.Answer, SimulatedDatabase.Bookings> transactional(
            SimulatedOperation service) {
        return Objects.requireNonNull(transactional.get(service));
    }

    /** Ends the process as a deploy does, and reports whether it was undisturbed meanwhile. */
    void shutDown(Duration toFinish) {
        domain.start("shutdown", () -> {
            domain.trace(() -> "SHUTDOWN begins");
            var begun = world.age();
            mail.ifPresent(relaying -> relaying.close(toFinish));
            sagas.ifPresent(relaying -> relaying.close(toFinish));
            relays.ifPresent(relaying -> relaying.close(toFinish));
            var left = refrain.close(toFinish);
            domain.trace(() -> "SHUTDOWN ends, left: " + left);
            boolean undisturbed = domain.undisturbedFor(world.age().minus(begun).plus(PEACE_BEFORE_SHUTDOWN));
            world.law().check(new SimulationEvent.ShutDown(domain.name(), this, left, undisturbed));
            domain.killSelf();
        });
    }

    /** Returns whether the start of an unprotected run was reported; each is reported once. */
    boolean wasToldOfFailingOpen() {
        return toldOfFailingOpen-- > 0;
    }

    private void heard(RefrainEvent event) {
        if (event instanceof RefrainEvent.FailedOpen) {
            toldOfFailingOpen++;
        }
        world.heard(event);
        domain.trace(() -> "heard " + event);
        environment.mayYield();
    }
}
