package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import dev.refrain.trials.simulation.world.SimulationMutation;
import java.util.List;
import java.util.function.Predicate;

/** Mutants of flows: how they resume. */
final class BrokenFlows {

    private BrokenFlows() {}

    /** A phase commits although somebody else has taken the flow over. */
    static Store checkpointIgnoresFence(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return super.write(
                        write instanceof RecordWrite.Checkpoint ? BrokenFences.asCurrent(this, write) : write);
            }
        };
    }

    /** The intent to send a call is not stored. */
    static Store callIsNotAnnounced(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return super.write(
                        write instanceof RecordWrite.Checkpoint w
                                ? new RecordWrite.Checkpoint(
                                        w.claim(), w.recoveryPoint().withoutCall(), w.carried(), w.lease())
                                : write);
            }
        };
    }

    /** The completer begins anew what was begun: the last phase that committed is forgotten. */
    static Store pointIsForgotten(Store store) {
        return new MutantStore(store) {
            @Override
            RecordWriteResponse write(RecordWrite write) {
                return write instanceof RecordWrite.Checkpoint checkpoint
                                && !checkpoint.recoveryPoint().callMayBeSent()
                        ? super.write(new RecordWrite.Renew(
                                write.claim(), checkpoint.lease().orElse(java.time.Duration.ofSeconds(10))))
                        : super.write(write);
            }
        };
    }

    /** The completer takes over fresh flows and those that are being worked on. */
    static Store completerTakesWhatRuns(Store store) {
        return new MutantStore(store) {
            @Override
            public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
                Predicate<StoredRecord> runs =
                        r -> r.state() == RecordState.IN_PROGRESS && r.request().isPresent();
                asked().forEach(identity -> find(identity)
                        .filter(runs)
                        .filter(r -> identity.namespace().equals(order.namespace()))
                        .ifPresent(r -> write(new RecordWrite.Release(r.claim()))));
                return super.pollAbandoned(order);
            }
        };
    }

    /** The completer does nothing. */
    static Store nobodyCompletes(Store store) {
        return new MutantStore(store) {
            @Override
            public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
                return new AbandonedRecordPage(List.of(), 0, false);
            }
        };
    }

    /** A call is sent again as if that were harmless, to a system that offers something else. */
    static SimulationMutation sentAgainTo(SimulatedGuarantee offer) {
        return SimulationMutation.declaring(there -> there == offer ? SimulatedGuarantee.KEYS_FOR_EVER : there);
    }
}
