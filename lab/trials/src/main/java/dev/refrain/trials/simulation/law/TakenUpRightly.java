package dev.refrain.trials.simulation.law;

import dev.refrain.store.State;
import dev.refrain.store.TakeOver;
import java.util.function.Consumer;

/** Protocol §6, the completer: takes up what is left by its caller, and nothing that is fresh, finished or being worked on. */
final class TakenUpRightly implements Rule {

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        if (happening instanceof Happening.Step step
                && step.deed() instanceof Deed.TakenUp taken
                && taken.answer().abandoned().stream()
                        .anyMatch(left -> left.identity().equals(step.identity()))
                && step.before().filter(seen -> left(seen, taken, step)).isEmpty()) {
            broken.accept("the completer took up " + step.before() + " at " + Text.clock(step.at()));
        }
    }

    private static boolean left(Seen seen, Deed.TakenUp taken, Happening.Step step) {
        boolean over = seen.record().state() == State.IN_PROGRESS
                && seen.record().takeOver() == TakeOver.RESUME
                && !seen.leaseEnd().plus(taken.order().gracePeriod()).isAfter(step.at());
        return seen.isFlow() && (seen.record().state() == State.RELEASED || over);
    }
}
