package dev.refrain.trials.simulation.world;

import dev.refrain.api.ClientKey;
import dev.refrain.api.CurrentClaim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.PhaseContext;
import dev.refrain.flow.PhaseResult;
import dev.refrain.flow.PhaseRetryPolicy;
import dev.refrain.trials.simulation.law.ClientAttempt;
import dev.refrain.trials.simulation.law.SimulatedRun;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.world.SimulatedWork.WorkFailed;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Flow of an order, a charge and a receipt, as one process offers it. Its phases are slow, fail and lose races now and then. */
final class SimulatedFlow {

    static final String CALL = "ordered";

    private static final String KEY = "key";

    private static final Duration LATER = Duration.ofSeconds(2);

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final SimulatedOperation service;
    private final SimulatedDownstream bank;
    private final SeededRandom chance;
    private final Flow<String, String, SimulatedDatabase.Bookings> flow;
    private final Map<Thread, SimulatedRun> last = new HashMap<>();

    SimulatedFlow(SimulatedWorld world, SimulatedProcess process, SimulatedOperation service, SeededRandom chance) {
        this.world = world;
        this.process = process;
        this.service = service;
        this.chance = chance;
        bank = world.bank(service);
        var offer = world.tampering().declared().apply(bank.nature().offer());
        var builder = Flow.of(service.name(), String.class, String.class, SimulatedDatabase.Bookings.class)
                .retention(Retention.of(service.retention()))
                .phase("started", this::order)
                .foreignCall(
                        CALL,
                        bank.nature()
                                .<ForeignCall<String>>downstream(
                                        offer, call -> bank.lookUp(process.foreign(), call.key())),
                        bank.nature().within(),
                        this::charge,
                        this::charged);
        if (service.triesAgain()) {
            builder.onFailure(
                    PhaseRetryPolicy.of(2, Duration.ofMillis(300)),
                    (tx, at, failed) -> PhaseResult.retryAfter(LATER, "The bank fails."));
        }
        flow = builder.phase("charged", this::receipt).build();
    }

    Flow<String, String, SimulatedDatabase.Bookings> flow() {
        return flow;
    }

    static FlowRequest<String> request(ClientAttempt attempt) {
        var identity = attempt.identity();
        return FlowRequest.of(ClientKey.scope(identity.scope()).key(identity.key()), attempt.request())
                .withPrincipal(Map.of(KEY, identity.key()));
    }

    /** Returns the last run on this thread. */
    Optional<SimulatedRun> run() {
        return Optional.ofNullable(last.get(Thread.currentThread()));
    }

    private PhaseResult<String> order(SimulatedDatabase.Bookings tx, PhaseContext<String> at) throws Exception {
        begin(at);
        tx.insert("orders", at.recordId());
        process.mail().stage(tx, SimulatedMessaging.HOOKS, at.recordId());
        dawdle();
        return PhaseResult.goTo(CALL);
    }

    private String charge(ForeignCall<String> call) throws Exception {
        return bank.send(process.foreign(), process.domain(), call.recordId(), call.key());
    }

    private PhaseResult<String> charged(SimulatedDatabase.Bookings tx, PhaseContext<String> at, String charge)
            throws Exception {
        begin(at);
        dawdle();
        if (charge.equals(SimulatedDownstream.DECLINED)) {
            return PhaseResult.fail(402, "The bank does not want to.");
        }
        tx.insert("payments", at.recordId());
        return PhaseResult.goTo("charged", charge);
    }

    /** Makes a receipt that differs from run to run, so that a second answer under one record is noticed. */
    private PhaseResult<String> receipt(SimulatedDatabase.Bookings tx, PhaseContext<String> at) throws Exception {
        var run = begin(at);
        tx.insert("receipts", at.recordId());
        process.mail().stage(tx, SimulatedMessaging.HOOKS, at.recordId());
        process.mail().stage(tx, SimulatedMessaging.RECEIPTS, at.recordId());
        dawdle();
        return PhaseResult.finish(
                201, at.carriedValue(String.class) + " by run " + run.number() + "." + world.nextNumber());
    }

    private SimulatedRun begin(PhaseContext<String> at) {
        var claim = CurrentClaim.get().orElseThrow();
        var known = last.get(Thread.currentThread());
        if (known != null && known.id().equals(claim.recordId()) && known.fence() == claim.fence()) {
            return known;
        }
        var attempt = new ClientAttempt(
                world.nextNumber(),
                process.domain().name(),
                new ScopedKey(
                        at.scope(),
                        service.name(),
                        Objects.requireNonNull(at.principal().get(KEY))),
                LeaseExpiryPolicy.RESUME,
                ClientAttempt.Mode.FLOW,
                at.request(),
                service.terms(),
                world.clock().instant(),
                world.scheduler().now());
        var run = new SimulatedRun(world.nextNumber(), attempt, claim.recordId(), claim.fence());
        last.put(Thread.currentThread(), run);
        process.domain().trace(() -> run + " comes to " + at.point());
        world.law().check(new SimulationEvent.Began(run, process, world.clock().instant()));
        return run;
    }

    private void dawdle() throws WorkFailed, InterruptedException {
        process.domain().nap(chance.upTo(Duration.ofMillis(chance.oneIn(3) ? 8_000 : 20)));
        switch (chance.below(60)) {
            case 0, 1, 2 -> throw new WorkFailed("in a phase");
            case 3, 4 -> throw new SimulatedPhase.LostRace();
            default -> {}
        }
    }
}
