package dev.refrain.trials.simulation.law;

import dev.refrain.key.RecordId;
import dev.refrain.store.outbox.Settlement;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Protocol §6, the relay: what was staged arrives, in its order, and is given up only where it may have arrived and nobody can be asked.
 * What was not staged does not arrive.
 */
final class MessagesArrive implements Rule {

    /** @param place in the order of staging */
    private record Known(Happening.Staged staged, int place) {}

    private record Line(String topic, String name) {}

    private final Map<RecordId, Known> all = new HashMap<>();
    private final Set<RecordId> waiting = new LinkedHashSet<>();
    private final Map<Line, Known> furthest = new HashMap<>();
    private Offer offer = Offer.KEYS_FOR_EVER;

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.WorldBegan began -> offer = began.hooks();
            case Happening.Staged staged -> {
                all.put(staged.message(), new Known(staged, all.size()));
                waiting.add(staged.message());
            }
            case Happening.Acted acted -> {
                if (acted.by() == Happening.Acted.By.RELAY) {
                    arrived(acted.about(), broken);
                }
            }
            case Happening.Inserted inserted -> {
                if (inserted.table().endsWith(Happening.Inserted.BY_HANDLER)) {
                    arrived(inserted.about(), broken);
                }
            }
            case Happening.Died died -> died(died, broken);
            case Happening.WorldEnded end -> waiting.forEach(lost -> broken.accept(all.get(lost) + " never arrived"));
            default -> {}
        }
    }

    private void arrived(RecordId message, Consumer<String> broken) {
        var known = all.get(message);
        if (known == null) {
            broken.accept(Text.brief(message) + " arrived and was never staged");
        } else if (waiting.remove(message)) {
            var line = new Line(known.staged().topic(), known.staged().line());
            var before = furthest.put(line, known);
            if (before != null && before.place() > known.place()) {
                broken.accept(known + " arrived after " + before);
            }
        }
    }

    private void died(Happening.Died died, Consumer<String> broken) {
        boolean unknowable = offer == Offer.NOTHING || offer == Offer.KEYS_FOR_A_WHILE;
        if (died.cause() != Settlement.Cause.UNKNOWN || !unknowable) {
            broken.accept(died + " though others offer " + offer);
        }
        waiting.remove(died.message());
    }
}
