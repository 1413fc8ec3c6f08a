package dev.refrain.internal.batch;

import dev.refrain.store.FairRequestQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Queue of a batcher: scopes in turn, and nothing in it that would be answered too late at the pace of the moment.
 *
 * <p>Not thread-safe: its batcher's lock guards it. Only whether a request would be admitted may be asked without.
 */
final class BatchQueue<Q, A> {

    /**
     * Divisor of a request's patience: the wait may become twice as long as it looks, because a store slows down, and it is still answered.
     * A queue that fills the patience to its end has all its last requests expire whenever the store takes a moment longer.
     */
    private static final int HEADROOM = 2;

    private final BatchStrategy<Q, A> batching;
    private final StoreBatcher.BatchLimits limits;
    private final FairRequestQueue<QueuedRequest<Q, A>> requests;
    private final BatchPace pace;
    private boolean leftMore;

    BatchQueue(BatchStrategy<Q, A> batching, StoreBatcher.BatchLimits limits) {
        this.batching = batching;
        this.limits = limits;
        this.requests = new FairRequestQueue<>(request -> batching.scope(request.question));
        this.pace = new BatchPace(limits.rows());
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    /** Returns true if a full batch of what must be written waits: it goes before what may be refused. */
    boolean isBehind() {
        return !batching.refusesWhenOverloaded() && requests.size() >= limits.rows();
    }

    /** Returns true if a request with this patience would be answered in time. */
    boolean admits(Q question, Duration patience) {
        return !batching.refusesWhenOverloaded() || admits(batching.scope(question), patience);
    }

    /** Returns true if a request of this scope with this patience would be answered in time. Needs no lock. */
    boolean admits(String scope, Duration patience) {
        int ahead = requests.aheadOf(scope);
        return ahead < limits.rows() || pace.expectedWait(ahead) <= patience.toNanos() / HEADROOM;
    }

    void add(QueuedRequest<Q, A> request) {
        requests.add(request);
    }

    /** Puts requests back at the head, in order: they have waited longest. */
    void putBack(List<QueuedRequest<Q, A>> batch) {
        batch.reversed().stream().filter(request -> !request.isDone()).forEach(requests::addFirst);
    }

    /**
     * Removes and returns the next batch.
     *
     * @param late receives the requests that have too little time left; they are removed too
     */
    List<QueuedRequest<Q, A>> takeBatch(long now, List<QueuedRequest<Q, A>> late) {
        var batch = new ArrayList<QueuedRequest<Q, A>>();
        long bytes = 0;
        while (!requests.isEmpty() && batch.size() < limits.rows()) {
            if (isLate(requests.element(), now) && !(batch.isEmpty() && requests.size() == 1)) {
                late.add(requests.remove());
                continue;
            }
            bytes += batching.bytes(requests.element().question);
            if (bytes > limits.bytes() && !batch.isEmpty()) {
                break;
            }
            batch.add(requests.remove());
        }
        leftMore = !requests.isEmpty();
        return batch;
    }

    /** Returns true if the answer would come too late. The last request is sent all the same: its answer shows the pace. */
    private boolean isLate(QueuedRequest<Q, A> request, long now) {
        return batching.skipsLate() && request.overdue(now + pace.batchNanos());
    }

    List<QueuedRequest<Q, A>> removeOverdue(long now) {
        return requests.removeAll(request -> request.overdue(now));
    }

    /** Learns from a batch that was taken then and is answered now. */
    void answered(long begun, long now, int rows) {
        pace.learn(begun, now, rows, leftMore);
    }
}
