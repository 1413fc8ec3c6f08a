package dev.refrain.trials.simulation.law;

import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Invariant 3: a hung handler does not hold its key for ever; after its maximum run time its lease is not renewed. */
final class MaxRunTimeRule implements InvariantRule {

    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final Map<String, SimulationEvent.Began> runs = new HashMap<>();

    @Override
    public void on(SimulationEvent happening, Consumer<String> broken) {
        switch (happening) {
            case SimulationEvent.Began began ->
                runs.put(began.run().id() + "/" + began.run().fence(), began);
            case SimulationEvent.Step step -> {
                if (step.deed() instanceof StoreAction.Wrote wrote
                        && wrote.write() instanceof RecordWrite.Renew
                        && wrote.answer() instanceof RecordWriteResponse.Written) {
                    var claim = wrote.write().claim();
                    var began = runs.get(claim.id() + "/" + claim.fence());
                    if (began != null && isOver(began, step.at())) {
                        broken.accept(began.run() + " is renewed at " + TraceText.clock(step.at()) + ", but began at "
                                + TraceText.clock(began.at()));
                    }
                }
            }
            default -> {}
        }
    }

    /** Returns whether the maximum run time is over by a clock that its process could read. */
    private static boolean isOver(SimulationEvent.Began began, Instant now) {
        var end = began.at().plus(began.run().attempt().terms().maxRun()).plus(MARGIN);
        return now.isAfter(end) && began.runner().inPeaceFor(Duration.between(began.at(), now));
    }
}
