package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import dev.refrain.trials.simulation.law.Offer;
import dev.refrain.trials.simulation.world.Tampering;
import java.util.List;
import java.util.function.Predicate;

/** How flows go on where they stood: broken in several ways. */
final class BrokenFlows {

    private BrokenFlows() {}

    /** A phase commits although somebody else has taken the flow over. */
    static Store checkpointIgnoresFence(Store store) {
        return new Tampered(store) {
            @Override
            WriteAnswer write(Write write) {
                return super.write(write instanceof Write.Checkpoint ? BrokenFences.asCurrent(this, write) : write);
            }
        };
    }

    /** Nobody says that a call is about to be sent. */
    static Store callIsNotAnnounced(Store store) {
        return new Tampered(store) {
            @Override
            WriteAnswer write(Write write) {
                return super.write(
                        write instanceof Write.Checkpoint w
                                ? new Write.Checkpoint(
                                        w.claim(),
                                        w.recoveryPoint().replace(StoredRecord.MAY_HAVE_SENT, ""),
                                        w.carried(),
                                        w.lease())
                                : write);
            }
        };
    }

    /** The completer begins anew what was begun: the last phase that committed is forgotten. */
    static Store pointIsForgotten(Store store) {
        return new Tampered(store) {
            @Override
            WriteAnswer write(Write write) {
                return write instanceof Write.Checkpoint checkpoint
                                && !checkpoint.recoveryPoint().endsWith(StoredRecord.MAY_HAVE_SENT)
                        ? super.write(new Write.Renew(
                                write.claim(), checkpoint.lease().orElse(java.time.Duration.ofSeconds(10))))
                        : super.write(write);
            }
        };
    }

    /** What is fresh, or being worked on, is taken from whoever has it. */
    static Store completerTakesWhatRuns(Store store) {
        return new Tampered(store) {
            @Override
            public TakenUp pollAbandoned(TakeUp order) {
                Predicate<StoredRecord> runs =
                        r -> r.state() == State.IN_PROGRESS && r.request().isPresent();
                asked().forEach(identity -> find(identity)
                        .filter(runs)
                        .filter(r -> identity.namespace().equals(order.namespace()))
                        .ifPresent(r -> write(new Write.Release(r.claim()))));
                return super.pollAbandoned(order);
            }
        };
    }

    /** What its callers left stays as it is. */
    static Store nobodyCompletes(Store store) {
        return new Tampered(store) {
            @Override
            public TakenUp pollAbandoned(TakeUp order) {
                return new TakenUp(List.of(), 0, false);
            }
        };
    }

    /** A call is sent again as if that were harmless, to a system that offers something else. */
    static Tampering sentAgainTo(Offer offer) {
        return Tampering.declaring(there -> there == offer ? Offer.KEYS_FOR_EVER : there);
    }
}
