package dev.refrain.trials.simulation.law;

import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A flow gives up only where another system may have acted and offers no way to find out; or if what was asked for was erased before the
 * first phase, while it was being taken up.
 */
final class FlowAttention implements Rule {

    private final Map<String, Offer> offers = new HashMap<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        switch (happening) {
            case Happening.WorldBegan began -> offers.putAll(began.flows());
            case Happening.Step step -> {
                if (step.deed() instanceof Deed.Wrote wrote
                        && wrote.write() instanceof Write.Escalate
                        && wrote.answer() instanceof WriteAnswer.Written
                        && step.changed()) {
                    check(step, step.before().orElseThrow(), broken);
                }
            }
            default -> {}
        }
    }

    private void check(Happening.Step step, Seen before, Consumer<String> broken) {
        var offer = offers.get(step.identity().namespace());
        boolean unknowable = offer == Offer.NOTHING || offer == Offer.KEYS_FOR_A_WHILE;
        boolean erased = before.record().recoveryPoint().isEmpty() && !before.isFlow();
        if (!erased && (!unknowable || !before.mayHaveSent())) {
            broken.accept(
                    before + " was given up at " + before.record().recoveryPoint() + ", where others offer " + offer);
        }
    }
}
