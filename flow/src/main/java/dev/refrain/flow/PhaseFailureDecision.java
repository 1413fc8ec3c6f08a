package dev.refrain.flow;

import dev.refrain.Refrain;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.OperationResult;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.FlowRun.CallerPresence;
import dev.refrain.phase.PhasedClaim;
import dev.refrain.phase.RetryLaterException;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.StoredRecord;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Decision of a person that the phase at which a flow waits has failed: resumes the flow, claims it and runs the failure phase. */
record PhaseFailureDecision<R, C>(
        Flow<R, ?, C> flow, Refrain refrain, StoreTransactionFactory<C> transactions, FlowContext<C> context) {

    /** Time for which a run that claimed the resumed flow first is waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(50);

    boolean apply(ScopedKey identity, ClaimRef seen, Exception cause, String who, String why) throws Exception {
        var found = refrain.admin()
                .find(identity)
                .filter(record -> record.state() == RecordState.ATTENTION
                        && record.claim().equals(seen)
                        && record.fingerprint().isPresent()
                        && record.request().isPresent());
        if (found.isEmpty()) {
            return false;
        }
        requireFailurePhase(found.get());
        return refrain.admin().resume(seen, who, why) && failPhase(identity, found.get(), cause);
    }

    /** Checks before anything changes that the flow can be failed where it waits. */
    private void requireFailurePhase(StoredRecord record) {
        int begun =
                FlowRequest.StoredRequest.read(record.request().orElseThrow()).version();
        var version = flow.versionOf(begun)
                .orElseThrow(() -> new IllegalStateException("Cannot fail a phase of flow " + flow.name()
                        + ": it was begun by version " + begun
                        + ", which is not deployed. Deploy it with olderVersion(version "
                        + begun + ")."));
        var point = FlowPosition.of(record)
                .map(FlowPosition::point)
                .orElse(version.graph().first());
        if (!version.graph().contains(point)
                || version.graph().at(point).failurePolicy().isEmpty()) {
            throw new IllegalStateException(
                    "Cannot fail phase " + point + " of flow " + flow.name() + ": version " + begun
                            + " declares no failure phase for it. Declare one with onFailure, or release or resolve the record.");
        }
    }

    private boolean failPhase(ScopedKey identity, StoredRecord seen, Exception cause) throws Exception {
        var resumed =
                new AbandonedRecord(identity, seen.id(), seen.fingerprint().orElseThrow(), 1);
        var operation = refrain.operation(flow.name())
                .namespace(flow.namespace())
                .minimumLease(flow.minimumLease())
                .minimumRetention(flow.retention())
                .phased(transactions);
        var claimed = new AtomicBoolean();
        var committed = new AtomicBoolean();
        long begun = refrain.environment().nanoTime();
        OperationResult result;
        do {
            result = operation.resume(resumed, claim -> {
                claimed.set(true);
                requireUnmoved(claim, seen);
                return FlowRun.of(flow, FlowRequest.StoredRequest.of(claim), context, claim, CallerPresence.GONE)
                        .failPhase(cause, () -> committed.set(true));
            });
            if (claimed.get() || !(result instanceof OperationResult.InProgress)) {
                return committed.get();
            }
            refrain.environment().sleep(PAUSE);
        } while (refrain.environment().nanoTime() - begun < PATIENCE.toNanos());
        return false;
    }

    /** Leaves a flow alone that another run continued first. */
    private void requireUnmoved(PhasedClaim<C> claim, StoredRecord seen) {
        if (!claim.recoveryPoint().equals(seen.recoveryPoint())) {
            throw new RetryLaterException("Flow " + flow.name() + " has continued meanwhile.", Duration.ZERO);
        }
    }
}
