package dev.refrain.trials.simulation.teeth;

import dev.refrain.api.RecoveryPoint;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import java.time.Duration;
import java.util.Map;

/** Mutants of sagas: how they are compensated. */
final class BrokenSagas {

    private static final String UNDO = "undo.";
    private static final Duration LEASE = Duration.ofSeconds(10);

    private BrokenSagas() {}

    /** The compensation of the charge is passed over. */
    static Store compensationIsSkipped(Store store) {
        return renaming(store, Map.of(UNDO + "charge", UNDO + "reserve"));
    }

    /** The first step is undone before the last one. */
    static Store compensationsRunForward(Store store) {
        return renaming(store, Map.of(UNDO + "label", UNDO + "charge", UNDO + "charge", UNDO + "label"));
    }

    /** The point of a compensation is not kept, so that a later run compensates the step again. */
    static Store compensationIsRepeated(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return write instanceof RecordWrite.Checkpoint checkpoint
                                && checkpoint.recoveryPoint().name().startsWith(UNDO)
                                && !checkpoint.recoveryPoint().name().endsWith("label")
                        ? super.write(new RecordWrite.Renew(
                                write.claim(), checkpoint.lease().orElse(LEASE)))
                        : super.write(write);
            }
        };
    }

    /** Instead of the compensation that failed another one is retried. */
    static Store anotherCompensationIsRetried(Store store) {
        return renaming(store, Map.of("dead.label", "dead.reserve", "dead.charge", "dead.reserve"));
    }

    /** What a person decides on a saga changes nothing. */
    static Store decisionIsLost(Store store) {
        return new MutantStore(store) {
            @Override
            public RecordWriteResponse resolve(Resolution resolution) {
                return new RecordWriteResponse.Written();
            }
        };
    }

    private static Store renaming(Store store, Map<String, String> points) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return super.write(write instanceof RecordWrite.Checkpoint w ? renamed(w, points) : write);
            }
        };
    }

    private static RecordWrite renamed(RecordWrite.Checkpoint write, Map<String, String> points) {
        String name = write.recoveryPoint().name();
        return new RecordWrite.Checkpoint(
                write.claim(),
                points.containsKey(name)
                        ? RecoveryPoint.reached(points.getOrDefault(name, name))
                        : write.recoveryPoint(),
                write.carried(),
                write.lease());
    }
}
