package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import dev.refrain.store.ClaimAnswer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Invariants 1 and 8: work runs only under a claim that its own process was given, and once under each. */
final class OneRunPerClaim implements Rule {

    private record Numbered(RecordId id, long fence) {}

    private final Map<Numbered, UUID> given = new HashMap<>();
    private final Set<Numbered> used = new HashSet<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.Step step -> {
                if (step.deed() instanceof Deed.Claimed claimed
                        && claimed.answer() instanceof ClaimAnswer.Acquired acquired) {
                    given.put(
                            new Numbered(
                                    acquired.record().id(), acquired.record().fence()),
                            claimed.request().nonce());
                }
            }
            case Happening.Began began -> {
                if (!began.run().attempt().mode().isOneCommit()) {
                    begins(began, broken);
                }
            }
            default -> {}
        }
    }

    private void begins(Happening.Began began, Consumer<String> broken) {
        var claim = new Numbered(began.run().id(), began.run().fence());
        var nonce = given.get(claim);
        if (nonce == null || !began.runner().made(nonce)) {
            broken.accept(began.run() + " began without a claim of its process");
        }
        if (!used.add(claim)) {
            broken.accept(began.run() + " is the second run under that claim");
        }
    }
}
