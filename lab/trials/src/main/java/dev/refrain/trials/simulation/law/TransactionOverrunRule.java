package dev.refrain.trials.simulation.law;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 3 for transactional runs: past its maximum run time a run is interrupted, and nothing of it is committed. */
final class TransactionOverrunRule implements InvariantRule {

    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final Set<SimulatedRun> overrun = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.WorkTook work -> {
                if (isOverrun(work)) {
                    overrun.add(work.run());
                    if (work.interruptible()) {
                        broken.accept(work.run() + " was left running for " + work.time());
                    }
                }
            }
            case SimulationEvent.Booked booked -> {
                if (overrun.contains(booked.run())) {
                    broken.accept(booked.run() + " ran for too long and is committed all the same");
                }
            }
            default -> {}
        }
    }

    /** Returns whether the maximum run time was over by a clock that its process could read. */
    private static boolean isOverrun(SimulationEvent.WorkTook work) {
        var attempt = work.run().attempt();
        return attempt.mode().isOneCommit()
                && work.time().compareTo(attempt.terms().maxRun().plus(MARGIN)) > 0
                && work.runner().inPeaceFor(work.time());
    }
}
