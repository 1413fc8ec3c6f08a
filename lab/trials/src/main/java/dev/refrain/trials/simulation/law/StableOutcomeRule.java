package dev.refrain.trials.simulation.law;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 2: a completed outcome does not change, and every answer equals the stored one. */
final class StableOutcomeRule implements InvariantRule {

    private final Map<RecordId, Optional<Payload>> stored = new HashMap<>();
    private final Set<RecordWrite> written = new HashSet<>();
    private final Set<RecordId> erased = new HashSet<>();
    private final Set<ClaimRef> overtaken = new HashSet<>();
    private final ExpectedOutcomes steered = new ExpectedOutcomes();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Step step -> stays(step, broken);
            case SimulationEvent.Ended ended -> steered.hear(ended);
            case SimulationEvent.Answered answered -> {
                if (answered.how() instanceof ObservedEnding.Result ended) {
                    answeredAsStored(answered, ended.result(), broken);
                }
            }
            default -> {}
        }
    }

    private void stays(SimulationEvent.Step step, Consumer<String> broken) {
        if (step.deed() instanceof StoreAction.Wrote wrote) {
            hear(wrote);
        }
        if (step.erased()) {
            erased.add(step.after().orElseThrow().record().id());
        } else if (step.sameRecord()
                && step.changed()
                && step.before().orElseThrow().record().state() == RecordState.COMPLETED) {
            broken.accept("completed " + step.before().get() + " became "
                    + step.after().get());
        }
        step.after()
                .map(TimedRecordSnapshot::record)
                .filter(r -> r.state() == RecordState.COMPLETED)
                .ifPresent(r -> {
                    var first = stored.putIfAbsent(r.id(), r.outcome());
                    boolean gone = erased.contains(r.id()) && r.outcome().isEmpty();
                    if (first != null && !gone && !first.equals(r.outcome())) {
                        broken.accept("the outcome of " + TraceText.brief(r.id()) + " changed");
                    }
                });
    }

    private void answeredAsStored(SimulationEvent.Answered answered, OperationResult result, Consumer<String> broken) {
        switch (result) {
            case OperationResult.Replayed replayed -> {
                var kept = stored.get(replayed.id());
                // Erased, it is told that it was done; by a cache that has not forgotten it yet, what it was.
                boolean gone =
                        erased.contains(replayed.id()) && replayed.outcome().equals(outcome(Optional.empty()));
                if (!gone && (kept == null || !outcome(kept).equals(replayed.outcome()))) {
                    broken.accept(answered.attempt() + " was answered " + TraceText.brief(replayed.outcome())
                            + " but stored is " + (kept == null ? "nothing" : TraceText.brief(outcome(kept))));
                }
            }
            case OperationResult.Ran ran -> {
                var run = answered.run().orElseThrow();
                if (run.attempt().mode() == ClientAttempt.Mode.LEASED) {
                    answeredAsWritten(run, ran.answer(), answered.patience(), broken);
                } else {
                    answeredAsCommitted(run, ran.answer(), broken);
                }
            }
            default -> {}
        }
    }

    private void hear(StoreAction.Wrote wrote) {
        switch (wrote.answer()) {
            case RecordWriteResponse.Written yes -> written.add(wrote.write());
            case RecordWriteResponse.Failed failed -> {}
            case RecordWriteResponse.Refused no -> {
                if (wrote.write() instanceof RecordWrite.Release
                        && !written.contains(wrote.write())
                        && no.current()
                                .filter(r -> r.state() == RecordState.COMPLETED)
                                .isPresent()) {
                    overtaken.add(wrote.write().claim());
                }
            }
        }
    }

    /** Checks that a runner answers with its own outcome only if its claim stored it, or if it is not kept and nobody else completed. */
    private void answeredAsWritten(
            SimulatedRun run, Outcome.Answer answer, SimulationEvent.Patience patience, Consumer<String> broken) {
        var kept = steered.kept(run, answer);
        boolean rightly = kept.isPresent()
                ? written.stream().anyMatch(w -> stores(w, run, kept.get()))
                : !patience.inPeace()
                        || overtaken.stream().noneMatch(c -> c.id().equals(run.id()) && c.fence() == run.fence());
        if (!rightly) {
            broken.accept(run + " answered " + TraceText.brief(answer) + ", which its claim never stored");
        }
    }

    private void answeredAsCommitted(SimulatedRun run, Outcome.Answer answer, Consumer<String> broken) {
        var there = Optional.ofNullable(stored.get(run.id())).map(StableOutcomeRule::outcome);
        if (steered.kept(run, answer)
                .filter(kept -> !there.equals(Optional.of(kept)))
                .isPresent()) {
            broken.accept(
                    run + " answered " + TraceText.brief(answer) + ", but committed is " + there.map(TraceText::brief));
        }
    }

    private static boolean stores(RecordWrite write, SimulatedRun run, Outcome outcome) {
        return write instanceof RecordWrite.Complete complete
                && complete.claim().id().equals(run.id())
                && complete.claim().fence() == run.fence()
                && outcome(complete.outcome()).equals(outcome);
    }

    private static Outcome outcome(Optional<Payload> kept) {
        return kept.<Outcome>map(OutcomeFormat::decode).orElseGet(Outcome.StateOnly::new);
    }
}
