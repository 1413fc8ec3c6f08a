package dev.refrain.trials.simulation.world;

import dev.refrain.claim.CurrentClaim;
import dev.refrain.flow.At;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.Next;
import dev.refrain.flow.Outgoing;
import dev.refrain.flow.Tries;
import dev.refrain.key.Identity;
import dev.refrain.outcome.Retention;
import dev.refrain.store.TakeOver;
import dev.refrain.trials.simulation.law.Attempt;
import dev.refrain.trials.simulation.law.Happening;
import dev.refrain.trials.simulation.law.Run;
import dev.refrain.trials.simulation.machine.Chance;
import dev.refrain.trials.simulation.world.SimulatedWork.WorkFailed;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** An order, a charge and a receipt, as one process offers them. Its phases dawdle, fail and lose races now and then. */
final class SimulatedFlow {

    static final String CALL = "ordered";

    private static final String KEY = "key";

    private static final Duration LATER = Duration.ofSeconds(2);

    private final World world;
    private final SimulatedProcess process;
    private final Service service;
    private final OtherSystem bank;
    private final Chance chance;
    private final Flow<String, Database.Bookings> flow;
    private final Map<Thread, Run> last = new HashMap<>();

    SimulatedFlow(World world, SimulatedProcess process, Service service, Chance chance) {
        this.world = world;
        this.process = process;
        this.service = service;
        this.chance = chance;
        bank = world.bank(service);
        var offer = world.tampering().declared().apply(bank.nature().offer());
        var builder = Flow.of(service.name(), String.class, Database.Bookings.class)
                .retention(Retention.of(service.retention()))
                .phase("started", this::order)
                .foreignCall(
                        CALL,
                        bank.nature().<String>downstream(offer, call -> bank.lookUp(process.foreign(), call)),
                        bank.nature().within(),
                        this::charge,
                        this::charged);
        if (service.triesAgain()) {
            builder.onFailure(
                    Tries.of(2, Duration.ofMillis(300)), (tx, at, failed) -> Next.retryAfter(LATER, "The bank fails."));
        }
        flow = builder.phase("charged", this::receipt).build();
    }

    Flow<String, Database.Bookings> flow() {
        return flow;
    }

    static FlowRequest<String> request(Attempt attempt) {
        var identity = attempt.identity();
        return FlowRequest.of(identity.scope(), identity.key(), attempt.request())
                .withPrincipal(Map.of(KEY, identity.key()));
    }

    /** The last run of it on this thread. */
    Optional<Run> run() {
        return Optional.ofNullable(last.get(Thread.currentThread()));
    }

    private Next order(Database.Bookings tx, At<String> at) throws Exception {
        begin(at);
        tx.insert("orders", at.recordId());
        process.mail().stage(tx, Mail.HOOKS, at.recordId());
        dawdle();
        return Next.goTo(CALL);
    }

    private String charge(Outgoing<String> call) throws Exception {
        return bank.send(process.foreign(), process.domain(), call.recordId(), call.key());
    }

    private Next charged(Database.Bookings tx, At<String> at, String charge) throws Exception {
        begin(at);
        dawdle();
        if (charge.equals(OtherSystem.DECLINED)) {
            return Next.fail(402, "The bank does not want to.");
        }
        tx.insert("payments", at.recordId());
        return Next.goTo("charged", charge);
    }

    /** No two runs answer alike, so that a second answer under one record cannot go unnoticed. */
    private Next receipt(Database.Bookings tx, At<String> at) throws Exception {
        var run = begin(at);
        tx.insert("receipts", at.recordId());
        process.mail().stage(tx, Mail.HOOKS, at.recordId());
        process.mail().stage(tx, Mail.RECEIPTS, at.recordId());
        dawdle();
        return Next.finish(201, at.carriedValue(String.class) + " by run " + run.number() + "." + world.nextNumber());
    }

    private Run begin(At<String> at) {
        var claim = CurrentClaim.get().orElseThrow();
        var known = last.get(Thread.currentThread());
        if (known != null && known.id().equals(claim.recordId()) && known.fence() == claim.fence()) {
            return known;
        }
        var attempt = new Attempt(
                world.nextNumber(),
                process.domain().name(),
                new Identity(
                        at.scope(),
                        service.name(),
                        Objects.requireNonNull(at.principal().get(KEY))),
                TakeOver.RESUME,
                Attempt.Mode.FLOW,
                at.request(),
                service.terms(),
                world.clock().instant(),
                world.scheduler().now());
        var run = new Run(world.nextNumber(), attempt, claim.recordId(), claim.fence());
        last.put(Thread.currentThread(), run);
        process.domain().trace(() -> run + " comes to " + at.point());
        world.law().check(new Happening.Began(run, process, world.clock().instant()));
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
