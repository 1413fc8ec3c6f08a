package dev.refrain.trials.simulation.law;

import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.State;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** Invariant 1: at most one claim of a record can write, and a write with another (id, fence) changes nothing. */
final class Fences implements Rule {

    private final Map<ClaimRef, UUID> holders = new HashMap<>();

    @Override
    public void on(Happening happening, Consumer<String> broken) {
        if (happening instanceof Happening.Step step) {
            growth(step, broken);
            switch (step.deed()) {
                case Deed.Claimed claimed -> oneHolder(step, claimed, broken);
                case Deed.Wrote wrote -> onlyTheHolder(step, wrote, broken);
                default -> {}
            }
        }
    }

    private static void growth(Happening.Step step, Consumer<String> broken) {
        if (!step.sameRecord()) {
            return;
        }
        var before = step.before().orElseThrow().record();
        var after = step.after().orElseThrow().record();
        boolean newHolder = !before.owner().equals(after.owner());
        if (after.fence() < before.fence() || (newHolder && after.fence() == before.fence())) {
            broken.accept("the fence went from " + step.before().get() + " to "
                    + step.after().get());
        }
    }

    private void oneHolder(Happening.Step step, Deed.Claimed claimed, Consumer<String> broken) {
        if (!(claimed.answer() instanceof ClaimAnswer.Acquired acquired)) {
            return;
        }
        var claim = acquired.record().claim();
        var nonce = claimed.request().nonce();
        var holder = holders.putIfAbsent(claim, nonce);
        if (holder != null && !holder.equals(nonce)) {
            broken.accept("two askers acquired " + Text.brief(claim.id()) + "/" + claim.fence());
        }
        boolean held = step.after()
                .filter(r -> r.record().claim().equals(claim)
                        && r.record().state() == State.IN_PROGRESS
                        && r.record().owner().equals(nonce))
                .isPresent();
        if (!held) {
            broken.accept("a claim was answered as acquired, but the store holds " + step.after());
        }
    }

    private static void onlyTheHolder(Happening.Step step, Deed.Wrote wrote, Consumer<String> broken) {
        var write = wrote.write();
        boolean holds = step.before()
                .filter(r -> r.record().claim().equals(write.claim()))
                .isPresent();
        if (step.changed() && !holds) {
            broken.accept(
                    "a write under " + write.claim().fence() + " changed " + step.before() + " to " + step.after());
        }
        if (step.changed() && wrote.answer() instanceof WriteAnswer.Refused) {
            broken.accept("a refused write changed " + step.before() + " to " + step.after());
        }
        if (wrote.answer() instanceof WriteAnswer.Written && !asWanted(step, write)) {
            broken.accept(Text.brief(new Deed.Wrote(write, wrote.answer()))
                    + " was answered as written, but the store holds " + step.after());
        }
    }

    private static boolean asWanted(Happening.Step step, Write write) {
        var state = switch (write) {
            case Write.Complete complete -> State.COMPLETED;
            case Write.Release release -> State.RELEASED;
            case Write.Escalate escalate -> State.ATTENTION;
            case Write.Checkpoint checkpoint -> State.IN_PROGRESS;
            case Write.Renew renew -> State.IN_PROGRESS;
        };
        // A release of a record past its retention leaves nothing to see.
        return step.after()
                .map(r -> r.record().state() == state && r.record().claim().equals(write.claim()))
                .orElse(state == State.RELEASED);
    }
}
