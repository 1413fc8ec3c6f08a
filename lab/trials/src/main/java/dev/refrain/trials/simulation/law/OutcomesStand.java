package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.OutcomeFormat;
import dev.refrain.outcome.Payload;
import dev.refrain.run.RunResult;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.State;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Invariant 2: what is completed stays, and whoever is answered is answered with what is stored. */
final class OutcomesStand implements Rule {

    private final Map<RecordId, Optional<Payload>> stored = new HashMap<>();
    private final Set<Write> written = new HashSet<>();
    private final Set<RecordId> erased = new HashSet<>();
    private final Set<ClaimRef> overtaken = new HashSet<>();
    private final Steered steered = new Steered();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Step step -> stays(step, broken);
            case Happening.Ended ended -> steered.hear(ended);
            case Happening.Answered answered -> {
                if (answered.how() instanceof Ending.Result ended) {
                    answeredAsStored(answered, ended.result(), broken);
                }
            }
            default -> {}
        }
    }

    private void stays(Happening.Step step, Consumer<String> broken) {
        if (step.deed() instanceof Deed.Wrote wrote) {
            hear(wrote);
        }
        if (step.erased()) {
            erased.add(step.after().orElseThrow().record().id());
        } else if (step.sameRecord()
                && step.changed()
                && step.before().orElseThrow().record().state() == State.COMPLETED) {
            broken.accept("completed " + step.before().get() + " became "
                    + step.after().get());
        }
        step.after().map(Seen::record).filter(r -> r.state() == State.COMPLETED).ifPresent(r -> {
            var first = stored.putIfAbsent(r.id(), r.outcome());
            boolean gone = erased.contains(r.id()) && r.outcome().isEmpty();
            if (first != null && !gone && !first.equals(r.outcome())) {
                broken.accept("the outcome of " + Text.brief(r.id()) + " changed");
            }
        });
    }

    private void answeredAsStored(Happening.Answered answered, RunResult result, Consumer<String> broken) {
        switch (result) {
            case RunResult.Replayed replayed -> {
                var kept = stored.get(replayed.id());
                // Erased, it is told that it was done; by a cache that has not forgotten it yet, what it was.
                boolean gone =
                        erased.contains(replayed.id()) && replayed.outcome().equals(outcome(Optional.empty()));
                if (!gone && (kept == null || !outcome(kept).equals(replayed.outcome()))) {
                    broken.accept(answered.attempt() + " was answered " + Text.brief(replayed.outcome())
                            + " but stored is " + (kept == null ? "nothing" : Text.brief(outcome(kept))));
                }
            }
            case RunResult.Ran ran -> {
                var run = answered.run().orElseThrow();
                if (run.attempt().mode() == Attempt.Mode.LEASED) {
                    answeredAsWritten(run, ran.answer(), answered.patience(), broken);
                } else {
                    answeredAsCommitted(run, ran.answer(), broken);
                }
            }
            default -> {}
        }
    }

    private void hear(Deed.Wrote wrote) {
        switch (wrote.answer()) {
            case WriteAnswer.Written yes -> written.add(wrote.write());
            case WriteAnswer.Refused no -> {
                if (wrote.write() instanceof Write.Release
                        && !written.contains(wrote.write())
                        && no.current()
                                .filter(r -> r.state() == State.COMPLETED)
                                .isPresent()) {
                    overtaken.add(wrote.write().claim());
                }
            }
        }
    }

    /** A runner answers by itself only if its own claim stored that answer, or if it is not to be kept and nobody was faster. */
    private void answeredAsWritten(
            Run run, Outcome.Answer answer, Happening.Patience patience, Consumer<String> broken) {
        var kept = steered.kept(run, answer);
        boolean rightly = kept.isPresent()
                ? written.stream().anyMatch(w -> stores(w, run, kept.get()))
                : !patience.inPeace()
                        || overtaken.stream().noneMatch(c -> c.id().equals(run.id()) && c.fence() == run.fence());
        if (!rightly) {
            broken.accept(run + " answered " + Text.brief(answer) + ", which its claim never stored");
        }
    }

    private void answeredAsCommitted(Run run, Outcome.Answer answer, Consumer<String> broken) {
        var there = Optional.ofNullable(stored.get(run.id())).map(OutcomesStand::outcome);
        if (steered.kept(run, answer)
                .filter(kept -> !there.equals(Optional.of(kept)))
                .isPresent()) {
            broken.accept(run + " answered " + Text.brief(answer) + ", but committed is " + there.map(Text::brief));
        }
    }

    private static boolean stores(Write write, Run run, Outcome outcome) {
        return write instanceof Write.Complete complete
                && complete.claim().id().equals(run.id())
                && complete.claim().fence() == run.fence()
                && outcome(complete.outcome()).equals(outcome);
    }

    private static Outcome outcome(Optional<Payload> kept) {
        return kept.<Outcome>map(OutcomeFormat::decode).orElseGet(Outcome.StateOnly::new);
    }
}
