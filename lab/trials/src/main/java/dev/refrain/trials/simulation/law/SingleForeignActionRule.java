package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Invariant 4: a downstream acts once for a record or a message, whatever it guarantees. Where it does not honour keys for ever, a process
 * that was held up between deciding to send and sending is exempt.
 */
final class SingleForeignActionRule implements InvariantRule {

    private record Deal(String system, RecordId about) {}

    private final Map<Deal, SimulationEvent.Acted> first = new HashMap<>();
    private final Set<RecordId> decided = new HashSet<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Acted acted -> {
                var earlier = first.putIfAbsent(new Deal(acted.system(), acted.about()), acted);
                if (earlier != null && !excused(earlier, acted)) {
                    broken.accept(acted.system() + ", which offers " + acted.offer() + ", acted again for "
                            + TraceText.brief(acted.about()));
                }
            }
            case SimulationEvent.Step step -> {
                if (step.deed() instanceof StoreAction.Resolved resolved
                        && resolved.answer() instanceof RecordWriteResponse.Written
                        && resolved.resolution().verdict() instanceof Resolution.RunAgain) {
                    decided.add(resolved.resolution().claim().id());
                }
            }
            default -> {}
        }
    }

    private boolean excused(SimulationEvent.Acted earlier, SimulationEvent.Acted again) {
        boolean heldUp = !earlier.smooth() || !again.smooth();
        return switch (again.offer()) {
            case KEYS_FOR_EVER -> false;
            case KEYS_FOR_A_WHILE, LOOKUP -> heldUp;
            case NOTHING -> heldUp && decided.contains(again.about());
        };
    }
}
