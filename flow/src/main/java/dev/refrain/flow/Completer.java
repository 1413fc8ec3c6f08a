package dev.refrain.flow;

import dev.refrain.BackgroundWorker;
import dev.refrain.PhasedOperation;
import dev.refrain.Refrain;
import dev.refrain.api.BackgroundTask;
import dev.refrain.api.Outcome;
import dev.refrain.api.PhasedClaim;
import dev.refrain.flow.FlowRun.CallerPresence;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPoll;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoreTransactionFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Drives flows that were left by their callers to an end, from the request that was stored with them.
 *
 * <p>What the store finds is run like any retry: it is claimed, and a claim that somebody else has, or that moved on, is left alone. One
 * that fails is tried again after a pause that grows, and at last waits for a decision.
 */
public final class Completer implements AutoCloseable {

    private final BackgroundWorker worker;

    private Completer(BackgroundWorker worker) {
        this.worker = worker;
    }

    static <C> Completer started(
            Refrain refrain,
            StoreTransactionFactory<C> transactions,
            FlowContext<C> means,
            CompleterSettings settings,
            List<Flow<?, C>> flows) {
        var queue = StoreAbility.require(
                transactions.store(),
                CompletionQueue.class,
                "The completer of the flows " + flows.stream().map(Flow::name).toList());
        var byNamespace = new LinkedHashMap<String, Map<String, Flow<?, C>>>();
        for (var flow : flows) {
            var named = byNamespace.computeIfAbsent(flow.namespace(), n -> new LinkedHashMap<>());
            if (named.putIfAbsent(flow.name(), flow) != null) {
                throw new IllegalArgumentException("The flow " + flow.name()
                        + " is given twice; an older version belongs into finishing(…) of the newest one.");
            }
        }
        var room = new Semaphore(settings.maxConcurrent());
        var finishers = byNamespace.entrySet().stream()
                .map(e -> new NamespaceCompleter<>(e.getKey(), e.getValue(), refrain, transactions, means))
                .toList();
        return new Completer(
                refrain.schedule(settings.interval(), new CompleterTask<>(refrain, queue, settings, room, finishers)));
    }

    /** Takes up nothing more. What is being finished goes on. */
    @Override
    public void close() {
        worker.close();
    }

    /** Looks for abandoned flows, as many as there is room for. */
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

        /** To have them finished takes its time by itself. */
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
            int places = 1 + room.drainPermits();
            int taken = 0;
            try {
                var found = queue.pollAbandoned(new AbandonedRecordPoll(
                        finisher.namespace(),
                        settings.gracePeriod(),
                        settings.firstBackoff(),
                        settings.maxAttempts(),
                        places));
                if (found.toAttention() > 0) {
                    refrain.listener().onEvent(new RefrainEvent.Swept(0, found.toAttention()));
                }
                for (var left : found.abandoned()) {
                    taken++;
                    refrain.environment().startThread("refrain-completer-" + left.id(), () -> finish(finisher, left));
                }
                return found.more();
            } finally {
                room.release(places - taken);
            }
        }

        private void finish(NamespaceCompleter<C> finisher, AbandonedRecord left) {
            try {
                refrain.listener()
                        .onEvent(new RefrainEvent.CompletionAttempted(finisher.namespace(), left.id(), left.attempt()));
                finisher.finish(left);
            } catch (Exception | LinkageError | AssertionError failed) {
                refrain.listener()
                        .onEvent(new RefrainEvent.AttemptFailed(
                                finisher.namespace(), left.id(), left.attempt(), failed));
            } finally {
                room.release();
            }
        }
    }

    /** Knows the flows of one namespace. */
    private record NamespaceCompleter<C>(
            String namespace,
            Map<String, Flow<?, C>> flows,
            Refrain refrain,
            StoreTransactionFactory<C> transactions,
            FlowContext<C> means) {

        void finish(AbandonedRecord left) throws Exception {
            operation().resume(left, this::finish);
        }

        private Outcome.Answer finish(PhasedClaim<C> claim) throws Exception {
            var stored = FlowRequest.StoredRequest.of(claim);
            var flow = flows.get(stored.flow());
            if (flow == null) {
                throw new IllegalStateException("The flow " + stored.flow() + " is not known here; of the namespace "
                        + namespace + " these are: " + flows.keySet() + ".");
            }
            return FlowRun.of(flow, stored, means, claim, CallerPresence.GONE).run();
        }

        private PhasedOperation<C> operation() {
            var operation = refrain.operation(namespace);
            for (var flow : flows.values()) {
                operation = operation.minimumLease(flow.leastLease()).minimumRetention(flow.retention());
            }
            return operation.phased(transactions);
        }
    }
}
