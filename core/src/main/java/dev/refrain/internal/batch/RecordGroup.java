package dev.refrain.internal.batch;

import dev.refrain.api.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Requests of one batch about the same record, of which the first is sent. Others get its answer where that is right, and otherwise go into
 * a later batch.
 */
record RecordGroup<Q, A>(BatchStrategy<Q, A> batching, List<QueuedRequest<Q, A>> requests) {

    /** Groups a batch by record, in primary key order. */
    static <Q, A> List<RecordGroup<Q, A>> of(BatchStrategy<Q, A> batching, List<QueuedRequest<Q, A>> batch) {
        var groups = new TreeMap<KeyHash, RecordGroup<Q, A>>();
        for (var request : batch) {
            groups.computeIfAbsent(
                            batching.lookup(request.question),
                            lookup -> new RecordGroup<>(batching, new ArrayList<>(1)))
                    .requests
                    .add(request);
        }
        return List.copyOf(groups.values());
    }

    QueuedRequest<Q, A> leader() {
        return requests.getFirst();
    }

    /** Returns the requests that get the leader's answer, without the leader. */
    List<QueuedRequest<Q, A>> followers() {
        return requests.stream()
                .skip(1)
                .filter(request -> batching.hasSameAnswer(leader().question, request.question))
                .toList();
    }

    /** Returns the requests that have to be sent themselves, in a later batch. */
    List<QueuedRequest<Q, A>> others() {
        return requests.stream()
                .skip(1)
                .filter(request -> !batching.hasSameAnswer(leader().question, request.question))
                .toList();
    }
}
