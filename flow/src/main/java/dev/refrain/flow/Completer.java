package dev.refrain.flow;

import dev.refrain.BackgroundWorker;
import dev.refrain.PhasedOperation;
import dev.refrain.Refrain;
import dev.refrain.api.BackgroundTask;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.ShuttingDownException;
import dev.refrain.flow.FlowRun.CallerPresence;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.phase.PhasedClaim;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreTransactionFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Background worker that finishes flows whose callers are gone, from the request that was stored with them.
 *
 * <p>An abandoned flow is claimed like a retry, so one that another caller is running is left alone. After a failed attempt the next one
 * follows a growing pause; after the last one the record needs attention.
 */
public final class Completer implements AutoCloseable {

    private static final String CALLER_GONE =
            "its caller has gone, and the completer cannot know whether a call took effect; its record says why";
    private static final String ATTEMPTS_EXHAUSTED =
            "the completer has tried to finish it as often as it may, and whether all of it took effect is not known; its record says why";

    private final BackgroundWorker worker;

    private Completer(BackgroundWorker worker) {
        this.worker = worker;
    }

    static <C> Completer started(
            Refrain refrain,
            StoreTransactionFactory<C> transactions,
            FlowContext<C> context,
            CompleterSettings settings,
            List<Flow<?, ?, C>> flows) {
        var queue = StoreAbility.require(
                transactions.store(),
                CompletionQueue.class,
                "The completer of the flows " + flows.stream().map(Flow::name).toList());
        var byNamespace = new LinkedHashMap<String, Map<String, Flow<?, ?, C>>>();
        for (var flow : flows) {
            var named = byNamespace.computeIfAbsent(flow.namespace(), n -> new LinkedHashMap<>());
            if (named.putIfAbsent(flow.name(), flow) != null) {
                throw new IllegalArgumentException("Cannot start the completer: flow " + flow.name()
                        + " is given twice. Pass the newest version only, built with olderVersion(…).");
            }
        }
        var room = new Semaphore(settings.maxConcurrent());
        var finishers = byNamespace.entrySet().stream()
                .map(e -> new NamespaceCompleter<>(e.getKey(), e.getValue(), refrain, transactions, context))
                .toList();
        return new Completer(
                refrain.schedule(settings.interval(), new CompleterTask<>(refrain, queue, settings, room, finishers)));
    }

    /** Stops taking over flows. Those that are being finished continue. */
    @Override
    public void close() {
        worker.close();
    }

    /** Polls for abandoned flows, up to the number of free slots. */
    private record CompleterTask<C>(
            Refrain refrain,
            CompletionQueue queue,
            CompleterSettings settings,
            Semaphore room,
            List<NamespaceCompleter<C>> finishers)
            implements BackgroundTask {

        @Override
        public String name() {
            return "completer";
        }

        /** Polls without an extra pause: finishing flows happens on threads of their own. */
        @Override
        public int pauseFactor() {
            return 0;
        }

        @Override
        public boolean runStep() {
            boolean more = false;
            for (var finisher : finishers) {
                more |= step(finisher);
            }
            return more;
        }

        private boolean step(NamespaceCompleter<C> finisher) {
            room.acquireUninterruptibly();
            int free = 1 + room.drainPermits();
            int taken = 0;
            try {
                var found = queue.pollAbandoned(new AbandonedRecordSearch(
                        finisher.namespace(),
                        settings.gracePeriod(),
                        settings.firstBackoff(),
                        settings.maxAttempts(),
                        free));
                if (found.toAttention() > 0) {
                    refrain.listener().onEvent(new RefrainEvent.Swept(0, found.toAttention()));
                    int unlisted = found.toAttention() - found.escalated().size();
                    refrain.listener()
                            .onEvent(new RefrainEvent.Escalated(found.escalated(), unlisted, ATTEMPTS_EXHAUSTED));
                }
                for (var left : found.abandoned()) {
                    taken++;
                    refrain.environment().startThread("refrain-completer-" + left.id(), () -> finish(finisher, left));
                }
                return found.more();
            } finally {
                room.release(free - taken);
            }
        }

        private void finish(NamespaceCompleter<C> finisher, AbandonedRecord left) {
            var begun = new AtomicBoolean();
            try {
                refrain.listener()
                        .onEvent(new RefrainEvent.CompletionAttempted(finisher.namespace(), left.id(), left.attempt()));
                var result = finisher.finish(left, begun);
                if (result instanceof OperationResult.InProgress) {
                    uncountUnlessBegun(left, begun);
                } else if (result instanceof OperationResult.Attention) {
                    var record = new EscalatedRecord(Optional.empty(), left.identity(), left.id());
                    refrain.listener().onEvent(new RefrainEvent.Escalated(List.of(record), 0, CALLER_GONE));
                }
            } catch (Exception | LinkageError | AssertionError failed) {
                if (failed instanceof ShuttingDownException
                        || (failed instanceof StoreException away && away.isTransient())) {
                    uncountUnlessBegun(left, begun);
                }
                refrain.listener()
                        .onEvent(new RefrainEvent.AttemptFailed(
                                finisher.namespace(), left.id(), left.attempt(), failed));
            } finally {
                room.release();
            }
        }

        /** Takes back an attempt that was not made: a flow must not need attention because stores or processes are too slow to claim it. */
        private void uncountUnlessBegun(AbandonedRecord left, AtomicBoolean begun) {
            if (begun.get()) {
                return;
            }
            try {
                queue.uncountAttempt(left);
            } catch (StoreException away) {
                refrain.listener().onEvent(new RefrainEvent.StoreFailed("uncount-attempt", away));
            }
        }
    }

    /** Finishes the flows of one namespace. */
    private record NamespaceCompleter<C>(
            String namespace,
            Map<String, Flow<?, ?, C>> flows,
            Refrain refrain,
            StoreTransactionFactory<C> transactions,
            FlowContext<C> context) {

        OperationResult finish(AbandonedRecord left, AtomicBoolean begun) throws Exception {
            return operation().resume(left, claim -> {
                begun.set(true);
                return finish(claim);
            });
        }

        private Outcome.Answer finish(PhasedClaim<C> claim) throws Exception {
            var stored = FlowRequest.StoredRequest.of(claim);
            var flow = flows.get(stored.flow());
            if (flow == null) {
                throw new IllegalStateException(
                        "Cannot finish flow " + stored.flow() + ": the completer of the namespace " + namespace
                                + " knows only " + flows.keySet() + ". Pass it to startCompleter.");
            }
            return FlowRun.of(flow, stored, context, claim, CallerPresence.GONE).run();
        }

        private PhasedOperation<C> operation() {
            var operation = refrain.operation(namespace);
            for (var flow : flows.values()) {
                operation = operation.minimumLease(flow.minimumLease()).minimumRetention(flow.retention());
            }
            return operation.phased(transactions);
        }
    }
}
