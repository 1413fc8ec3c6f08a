package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.store.outbox.MessageSettlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Rule: a message becomes a dead letter only after it was tried as often as its topic says, however slow its relays are; all others arrive.
 *
 * <p>A relay that was killed or held up after it had leased a message may have tried it, as far as anybody else can know: such a lease counts.
 */
final class TriedBeforeDeadRule implements InvariantRule {

    private final Map<RecordId, Integer> tries = new HashMap<>();
    private final Map<RecordId, List<SimulationEvent.Leased>> leases = new HashMap<>();
    private final Set<RecordId> waiting = new LinkedHashSet<>();
    private int maxAttempts = Integer.MAX_VALUE;

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.RelaysBegan began -> maxAttempts = began.maxAttempts();
            case SimulationEvent.Staged staged -> waiting.add(staged.message());
            case SimulationEvent.Leased leased ->
                leases.computeIfAbsent(leased.message(), message -> new ArrayList<>())
                        .add(leased);
            case SimulationEvent.Tried tried -> tries.merge(tried.message(), 1, Integer::sum);
            case SimulationEvent.Acted acted -> waiting.remove(acted.about());
            case SimulationEvent.Inserted inserted -> waiting.remove(inserted.about());
            case SimulationEvent.Died died -> died(died, broken);
            case SimulationEvent.WorldEnded end ->
                waiting.forEach(lost -> broken.accept(TraceText.brief(lost) + " neither arrived nor is a dead letter"));
            default -> {}
        }
    }

    private void died(SimulationEvent.Died died, Consumer<String> broken) {
        int tried = tries.getOrDefault(died.message(), 0);
        long excused = leases.getOrDefault(died.message(), List.of()).stream()
                .filter(lease -> !lease.undisturbedSince().getAsBoolean())
                .count();
        if (died.cause() != MessageSettlement.Cause.EXHAUSTED || tried + excused < maxAttempts) {
            broken.accept(died + " after " + tried + " of " + maxAttempts + " attempts");
        }
        waiting.remove(died.message());
    }
}
