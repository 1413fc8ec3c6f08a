package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import dev.refrain.run.RunResult;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Invariant 5: nobody who asks after a record's end is answered with it, from a cache neither. */
final class ReplaysExpire implements Rule {

    private final Map<RecordId, Optional<Instant>> ends = new HashMap<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Step step ->
                step.after().ifPresent(seen -> ends.put(seen.record().id(), seen.expiry()));
            case Happening.Answered answered -> {
                if (answered.how() instanceof Ending.Result ended
                        && ended.result() instanceof RunResult.Replayed replayed) {
                    ends.getOrDefault(replayed.id(), Optional.empty())
                            .filter(end -> isLate(answered, end))
                            .ifPresent(end -> broken.accept(answered.attempt() + " began at "
                                    + Text.clock(answered.attempt().begun()) + " and was answered with "
                                    + Text.brief(replayed.id()) + ", which ended at " + Text.clock(end)));
                }
            }
            default -> {}
        }
    }

    private static boolean isLate(Happening.Answered answered, Instant end) {
        return !answered.attempt().begun().isBefore(end.plus(answered.patience().clockMayLag()));
    }
}
