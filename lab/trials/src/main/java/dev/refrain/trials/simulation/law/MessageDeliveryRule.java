package dev.refrain.trials.simulation.law;

import dev.refrain.api.RecordId;
import dev.refrain.store.outbox.MessageSettlement;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Protocol §6, the relay: staged messages arrive in order, and become dead letters only where they may have arrived and no lookup exists.
 * Messages that were not staged do not arrive.
 */
final class MessageDeliveryRule implements InvariantRule {

    /** @param place in the order of staging */
    private record Known(SimulationEvent.Staged staged, int place) {}

    private record OrderedLine(String topic, String name) {}

    private final Map<RecordId, Known> all = new HashMap<>();
    private final Set<RecordId> waiting = new LinkedHashSet<>();
    private final Map<OrderedLine, Known> furthest = new HashMap<>();
    private SimulatedGuarantee offer = SimulatedGuarantee.KEYS_FOR_EVER;

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.WorldBegan began -> offer = began.hooks();
            case SimulationEvent.Staged staged -> {
                all.put(staged.message(), new Known(staged, all.size()));
                waiting.add(staged.message());
            }
            case SimulationEvent.Acted acted -> {
                if (acted.by() == SimulationEvent.Acted.By.RELAY) {
                    arrived(acted.about(), broken);
                }
            }
            case SimulationEvent.Inserted inserted -> {
                if (inserted.table().endsWith(SimulationEvent.Inserted.BY_HANDLER)) {
                    arrived(inserted.about(), broken);
                }
            }
            case SimulationEvent.Died died -> died(died, broken);
            case SimulationEvent.WorldEnded end ->
                waiting.forEach(lost -> broken.accept(all.get(lost) + " never arrived"));
            default -> {}
        }
    }

    private void arrived(RecordId message, Consumer<String> broken) {
        var known = all.get(message);
        if (known == null) {
            broken.accept(TraceText.brief(message) + " arrived and was never staged");
        } else if (waiting.remove(message)) {
            var line = new OrderedLine(known.staged().topic(), known.staged().line());
            var before = furthest.put(line, known);
            if (before != null && before.place() > known.place()) {
                broken.accept(known + " arrived after " + before);
            }
        }
    }

    private void died(SimulationEvent.Died died, Consumer<String> broken) {
        boolean unknowable = offer == SimulatedGuarantee.NOTHING || offer == SimulatedGuarantee.KEYS_FOR_A_WHILE;
        if (died.cause() != MessageSettlement.Cause.UNKNOWN || !unknowable) {
            broken.accept(died + " though others offer " + offer);
        }
        waiting.remove(died.message());
    }
}
