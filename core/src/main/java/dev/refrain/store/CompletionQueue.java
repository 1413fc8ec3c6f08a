package dev.refrain.store;

import java.time.Duration;
import java.util.List;

/**
 * Store ability: hands out unfinished work whose request is stored, so that a completer can finish it without its caller.
 *
 * <p>Safe for use by many threads and instances at once; failures are {@link StoreException}s.
 */
public interface CompletionQueue {

    /**
     * Finds work to finish without its caller: records with a stored request that are RELEASED, or IN_PROGRESS with their lease over for
     * more than the grace, and whose turn has come. Its turn first comes when the first claim's lease ends, then after a pause that grows
     * with each attempt. To be found counts as an attempt and puts off the next one, so that of many who look at once one finds it; to run
     * it, it has still to be claimed. Once all attempts are made it goes to ATTENTION in the same step. What is in ATTENTION or being
     * worked on is looked at again later.
     */
    AbandonedRecordBatch pollAbandoned(AbandonedRecordPoll order);

    /**
     * Lists work with a stored request whose first claim is longer ago than that and that has not come to its end, oldest first: running,
     * released, abandoned or in ATTENTION. Looks at what is unfinished in the namespace, and at nothing that is settled.
     */
    List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit);
}
