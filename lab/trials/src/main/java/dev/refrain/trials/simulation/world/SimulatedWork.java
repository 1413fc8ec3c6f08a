package dev.refrain.trials.simulation.world;

import dev.refrain.api.Claim;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Retention;
import dev.refrain.trials.simulation.law.ClientAttempt;
import dev.refrain.trials.simulation.law.ObservedEnding;
import dev.refrain.trials.simulation.law.SimulatedRun;
import dev.refrain.trials.simulation.law.SimulationEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Handler of one attempt: takes its time, charges, and answers or fails, as its script says. */
final class SimulatedWork {

    private static final String STEP = "charge";

    /** Retention longer than any world, which lasts a little more than an hour. */
    private static final Retention LONGER = Retention.of(Duration.ofHours(3));

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final SimulatedOperation service;
    private final ClientAttempt attempt;
    private Optional<SimulatedRun> run = Optional.empty();

    SimulatedWork(SimulatedWorld world, SimulatedProcess process, SimulatedOperation service, ClientAttempt attempt) {
        this.world = world;
        this.process = process;
        this.service = service;
        this.attempt = attempt;
    }

    /** Returns the run, if this attempt was given the claim. */
    Optional<SimulatedRun> run() {
        return run;
    }

    /** Charges a provider under a derived key; with {@code hold} there is none, and only the number of runs counts. */
    Outcome.Answer leased(Claim claim) throws WorkFailed, InterruptedException {
        return run(claim, run -> {
            if (attempt.takeOver() == LeaseExpiryPolicy.RESUME) {
                world.provider().charge(run, STEP, claim.derivedKey(STEP));
            }
        });
    }

    /** Books in the database that holds the key. */
    Outcome.Answer transactional(Claim claim, SimulatedDatabase.Bookings bookings)
            throws WorkFailed, InterruptedException {
        return run(claim, bookings::add);
    }

    private Outcome.Answer run(Claim claim, Consumer<SimulatedRun> effect) throws WorkFailed, InterruptedException {
        var begun = new SimulatedRun(world.nextNumber(), attempt, claim.recordId(), claim.fence());
        run = Optional.of(begun);
        var script = SimulatedWorkScript.by(world.chance(), service, begun.number());
        process.domain().trace(() -> begun + " begins: " + script);
        if (begun.unprotected()) {
            return unprotected(begun, script, claim, effect);
        }
        world.law()
                .check(new SimulationEvent.Began(begun, process, world.clock().instant()));
        long begunNanos = world.scheduler().now();
        try {
            perform(script, claim, () -> effect.accept(begun));
        } catch (WorkFailed | InterruptedException failure) {
            process.domain().trace(() -> begun + " fails: " + failure);
            world.law()
                    .check(new SimulationEvent.Ended(begun, new ObservedEnding.Threw(failure, said(script, failure))));
            throw failure;
        } finally {
            world.law()
                    .check(new SimulationEvent.WorkTook(
                            begun,
                            process,
                            Duration.ofNanos(world.scheduler().now() - begunNanos),
                            script.heedsInterrupts()));
        }
        process.domain().trace(() -> begun + " is done");
        world.law()
                .check(new SimulationEvent.Ended(begun, new ObservedEnding.Gave(script.answer(), script.steering())));
        return script.answer();
    }

    /** Runs without a claim: it has its effects, and nothing of it is stored. */
    private Outcome.Answer unprotected(
            SimulatedRun begun, SimulatedWorkScript script, Claim claim, Consumer<SimulatedRun> effect)
            throws WorkFailed, InterruptedException {
        var since = Duration.ofNanos(world.scheduler().now() - attempt.begunNanos());
        world.law()
                .check(new SimulationEvent.FailedOpen(
                        begun, service.failsOpen(), process.wasToldOfFailingOpen(), process.inPeaceFor(since)));
        perform(script, claim, () -> effect.accept(begun));
        return script.answer();
    }

    private void perform(SimulatedWorkScript script, Claim claim, Runnable effect)
            throws WorkFailed, InterruptedException {
        nap(script, script.before());
        if (script.act() == SimulatedWorkScript.Act.FAIL_BEFORE_EFFECT) {
            steer(script, claim);
            throw new WorkFailed("before the effect");
        }
        effect.run();
        nap(script, script.after());
        if (script.act() == SimulatedWorkScript.Act.FAIL_AFTER_EFFECT) {
            throw new WorkFailed("after the effect");
        }
        steer(script, claim);
    }

    private static void steer(SimulatedWorkScript script, Claim claim) {
        switch (script.steering()) {
            case NONE -> {}
            case NOTHING_HAPPENED -> claim.declareNoEffect();
            case DO_NOT_KEEP -> claim.doNotKeepAnswer();
            case KEEP_STATE_ONLY -> claim.keepStateOnly("The simulation says so.");
            case KEEP_LONGER -> claim.retainFor(LONGER);
        }
    }

    /** Returns the steering of the run; interrupted work did not come to use its script's. */
    private static ObservedEnding.Steering said(SimulatedWorkScript script, Exception failure) {
        return failure instanceof WorkFailed ? script.steering() : ObservedEnding.Steering.NONE;
    }

    private void nap(SimulatedWorkScript script, Duration time) throws InterruptedException {
        if (script.heedsInterrupts()) {
            process.domain().nap(time);
        } else {
            process.domain().sleep(time);
        }
    }

    /** Failure of the handler. */
    static final class WorkFailed extends Exception {
        private static final long serialVersionUID = 1L;

        WorkFailed(String when) {
            super("The work failed " + when + ".");
        }
    }
}
