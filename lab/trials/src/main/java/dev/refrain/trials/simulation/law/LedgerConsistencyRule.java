package dev.refrain.trials.simulation.law;

import dev.refrain.api.OperationResult;
import dev.refrain.api.RecordId;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.StoreException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 4, transactional: one booking for a completed record, none otherwise, and callers are answered accordingly. */
final class LedgerConsistencyRule implements InvariantRule {

    private static final int FIRST_SERVER_ERROR = 500;

    private final Map<RecordId, SimulatedRun> booked = new HashMap<>();
    private final Set<SimulatedRun> toldNothing = new HashSet<>();
    private final ExpectedOutcomes steered = new ExpectedOutcomes();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Ended ended -> steered.hear(ended);
            case SimulationEvent.Booked now -> book(now.run(), broken);
            case SimulationEvent.Step step -> {
                if (step.deed() instanceof StoreAction.Committed) {
                    committed(step, broken);
                }
            }
            case SimulationEvent.Answered answered -> {
                if (answered.attempt().mode().isOneCommit() && answered.run().isPresent()) {
                    answered(answered.run().get(), answered.how(), broken);
                }
            }
            default -> {}
        }
    }

    private void book(SimulatedRun run, Consumer<String> broken) {
        var earlier = booked.putIfAbsent(run.id(), run);
        if (earlier != null) {
            broken.accept(run + " booked what " + earlier + " had booked");
        }
        if (toldNothing.contains(run)) {
            broken.accept(run + " is booked, but its caller was told that nothing happened");
        }
    }

    /** Checks a committed record: a kept failure has no booking, every other completed one has. */
    private void committed(SimulationEvent.Step step, Consumer<String> broken) {
        var record = step.after().orElseThrow().record();
        if (record.outcome().isEmpty()) {
            return;
        }
        boolean failed = OutcomeFormat.decode(record.outcome().get()).status() >= FIRST_SERVER_ERROR;
        if (failed == booked.containsKey(record.id())) {
            broken.accept(
                    "a transaction completed " + step.after().get() + (failed ? " with" : " without") + " a booking");
        }
    }

    private void answered(SimulatedRun run, ObservedEnding how, Consumer<String> broken) {
        boolean done = run.equals(booked.get(run.id()));
        switch (how) {
            case ObservedEnding.Result ended -> {
                if (ended.result() instanceof OperationResult.Ran ran) {
                    boolean due = steered.kept(run, ran.answer()).isPresent()
                            && ran.answer().status() < FIRST_SERVER_ERROR;
                    if (due != done) {
                        broken.accept(run + " was answered as " + (due ? "done" : "not done") + ", but booked is "
                                + booked.get(run.id()));
                    }
                }
            }
            case ObservedEnding.Failed failed -> {
                boolean unknown = !(failed.failure() instanceof StoreException e)
                        ? failed.failure() instanceof dev.refrain.api.OutcomeUnknownException
                        : e.effect() == StoreException.Effect.UNKNOWN;
                if (!unknown) {
                    toldNothing.add(run);
                    if (done) {
                        broken.accept(run + " is booked, but its caller was told: " + failed.failure());
                    }
                }
            }
            default -> {}
        }
    }
}
