package dev.refrain.trials.simulation.teeth;

import dev.refrain.ValueCodec;
import dev.refrain.api.Outcome;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.StoredFailure;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Mutants of sagas: how they are compensated, and how their jobs end. */
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

    /** The compensation of a job that may have happened is passed over. */
    static Store compensationOfTheJobIsSkipped(Store store) {
        return renaming(store, Map.of(UNDO + "label", UNDO + "charge"));
    }

    /** A job that failed for good counts as done. */
    static Store failedJobIsDone(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return super.write(isJob(truth(write.claim().lookup())) && isFailure(write) ? done(write) : write);
            }
        };
    }

    /** What a person decides on a job changes nothing. */
    static Store decisionOnAJobIsLost(Store store) {
        return new MutantStore(store) {
            @Override
            public RecordWriteResponse resolve(Resolution resolution) {
                return isJob(truth(resolution.claim().lookup()))
                        ? new RecordWriteResponse.Written()
                        : super.resolve(resolution);
            }
        };
    }

    /** Returns whether it is a job's: the request of a saga is kept until it ends. */
    private static boolean isJob(Optional<StoredRecord> record) {
        return record.filter(there -> there.request().isEmpty()).isPresent();
    }

    private static boolean isFailure(RecordWrite write) {
        return write instanceof RecordWrite.Complete complete
                && complete.outcome()
                        .map(OutcomeFormat::decode)
                        .flatMap(StoredFailure::fromAnswer)
                        .isPresent();
    }

    private static RecordWrite done(RecordWrite write) {
        var answer = Outcome.Answer.of(200, ValueCodec.standard().encode("printed"));
        return new RecordWrite.Complete(write.claim(), Optional.of(OutcomeFormat.encode(answer)), Optional.empty());
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
