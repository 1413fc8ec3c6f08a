package dev.refrain.store;

import java.time.Duration;
import java.util.List;

/**
 * Store ability: finds unfinished work with a stored request, so that a completer can finish it without its caller.
 *
 * <p>Thread-safe across instances; failures are {@link StoreException}s.
 */
public interface CompletionQueue {

    /**
     * Finds abandoned records that are due: with a stored request, and RELEASED, or IN_PROGRESS with a lease that expired longer
     * ago than the grace period. A record is first due when its first claim's lease ends, then after a backoff that grows with
     * each attempt. Finding a record counts as an attempt and delays the next one, so that of many concurrent polls only one
     * finds it; its work must still be claimed. After the last attempt the record moves to ATTENTION in the same step. Records in
     * ATTENTION or in progress are examined again later.
     */
    AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order);

    /**
     * Takes back the attempt that {@link #pollAbandoned} counted, because the record could not be claimed and its work never began. The pause
     * until the next attempt stays. Changes nothing if the record was polled again, settled or resolved since.
     */
    void uncountAttempt(AbandonedRecord unattempted);

    /**
     * Lists records with a stored request that are unfinished (running, released, abandoned or in ATTENTION) and whose first
     * claim is longer ago than {@code longerThan}, oldest first. Examines unfinished records of the namespace only.
     */
    List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit);
}
