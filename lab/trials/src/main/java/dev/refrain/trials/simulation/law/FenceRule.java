package dev.refrain.trials.simulation.law;

import dev.refrain.api.ClaimRef;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** Invariant 1: at most one claim of a record can write, and a write with another (id, fence) changes nothing. */
final class FenceRule implements InvariantRule {

    private final Map<ClaimRef, UUID> holders = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        if (happening instanceof SimulationEvent.Step step) {
            growth(step, broken);
            switch (step.deed()) {
                case StoreAction.Claimed claimed -> oneHolder(step, claimed, broken);
                case StoreAction.Wrote wrote -> onlyTheHolder(step, wrote, broken);
                default -> {}
            }
        }
    }

    private static void growth(SimulationEvent.Step step, Consumer<String> broken) {
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

    private void oneHolder(SimulationEvent.Step step, StoreAction.Claimed claimed, Consumer<String> broken) {
        if (!(claimed.answer() instanceof ClaimResponse.Acquired acquired)) {
            return;
        }
        var claim = acquired.record().claim();
        var nonce = claimed.request().nonce();
        var holder = holders.putIfAbsent(claim, nonce);
        if (holder != null && !holder.equals(nonce)) {
            broken.accept("two askers acquired " + TraceText.brief(claim.id()) + "/" + claim.fence());
        }
        boolean held = step.after()
                .filter(r -> r.record().claim().equals(claim)
                        && r.record().state() == RecordState.IN_PROGRESS
                        && r.record().owner().equals(nonce))
                .isPresent();
        if (!held) {
            broken.accept("a claim was answered as acquired, but the store holds " + step.after());
        }
    }

    private static void onlyTheHolder(SimulationEvent.Step step, StoreAction.Wrote wrote, Consumer<String> broken) {
        var write = wrote.write();
        boolean holds = step.before()
                .filter(r -> r.record().claim().equals(write.claim()))
                .isPresent();
        if (step.changed() && !holds) {
            broken.accept(
                    "a write under " + write.claim().fence() + " changed " + step.before() + " to " + step.after());
        }
        if (step.changed() && wrote.answer() instanceof RecordWriteResponse.Refused) {
            broken.accept("a refused write changed " + step.before() + " to " + step.after());
        }
        if (wrote.answer() instanceof RecordWriteResponse.Written && !asWanted(step, write)) {
            broken.accept(TraceText.brief(new StoreAction.Wrote(write, wrote.answer()))
                    + " was answered as written, but the store holds " + step.after());
        }
    }

    private static boolean asWanted(SimulationEvent.Step step, RecordWrite write) {
        var state = switch (write) {
            case RecordWrite.Complete complete -> RecordState.COMPLETED;
            case RecordWrite.Release release -> RecordState.RELEASED;
            case RecordWrite.Escalate escalate -> RecordState.ATTENTION;
            case RecordWrite.Checkpoint checkpoint -> RecordState.IN_PROGRESS;
            case RecordWrite.Renew renew -> RecordState.IN_PROGRESS;
        };
        // A release of a record past its retention leaves nothing to see.
        return step.after()
                .map(r -> r.record().state() == state && r.record().claim().equals(write.claim()))
                .orElse(state == RecordState.RELEASED);
    }
}
