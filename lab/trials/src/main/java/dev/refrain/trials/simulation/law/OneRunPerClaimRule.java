package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.store.ClaimResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Invariants 1 and 8: work runs only under a claim of its own process, and once under each. */
final class OneRunPerClaimRule implements InvariantRule {

    private record Numbered(RecordId id, long fence) {}

    private final Map<Numbered, UUID> given = new HashMap<>();
    private final Set<Numbered> used = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Step step -> {
                if (step.deed() instanceof StoreAction.Claimed claimed
                        && claimed.answer() instanceof ClaimResponse.Acquired acquired) {
                    given.put(
                            new Numbered(
                                    acquired.record().id(), acquired.record().fence()),
                            claimed.request().nonce());
                }
            }
            case SimulationEvent.Began began -> {
                if (!began.run().attempt().mode().isOneCommit()) {
                    begins(began, broken);
                }
            }
            default -> {}
        }
    }

    private void begins(SimulationEvent.Began began, Consumer<String> broken) {
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
