package dev.refrain.trials.simulation.law;

import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Rule: a flow goes to attention only where another system may have acted and offers no lookup, or if its request was erased before the
 * first phase during a takeover.
 */
final class FlowAttentionRule implements InvariantRule {

    private final Map<String, SimulatedGuarantee> offers = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.WorldBegan began -> offers.putAll(began.flows());
            case SimulationEvent.Step step -> {
                if (step.deed() instanceof StoreAction.Wrote wrote
                        && wrote.write() instanceof RecordWrite.Escalate
                        && wrote.answer() instanceof RecordWriteResponse.Written
                        && step.changed()) {
                    check(step, step.before().orElseThrow(), broken);
                }
            }
            default -> {}
        }
    }

    private void check(SimulationEvent.Step step, TimedRecordSnapshot before, Consumer<String> broken) {
        var offer = offers.get(step.identity().namespace());
        boolean unknowable = offer == SimulatedGuarantee.NOTHING || offer == SimulatedGuarantee.KEYS_FOR_A_WHILE;
        boolean erased = before.record().recoveryPoint().isEmpty() && !before.isFlow();
        if (!erased && (!unknowable || !before.mayHaveSent())) {
            broken.accept(
                    before + " was given up at " + before.record().recoveryPoint() + ", where others offer " + offer);
        }
    }
}
