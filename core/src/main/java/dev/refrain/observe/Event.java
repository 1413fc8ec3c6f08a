package dev.refrain.observe;

import dev.refrain.key.RecordId;
import dev.refrain.store.StoreException;
import dev.refrain.store.ledger.Finding.Kind;
import dev.refrain.store.outbox.Backlog;
import dev.refrain.store.outbox.Settlement;
import java.time.Duration;

/**
 * Something that happened, named once for metrics, traces and logs alike.
 *
 * <p>Operations and results make good tags; record ids belong in traces and logs only. No event carries a key, a scope or
 * a body.
 */
public sealed interface Event {

    /** How a claim was answered. */
    enum Result {
        ACQUIRED,
        REPLAY,
        REPLAY_FROM_CACHE,
        IN_PROGRESS,
        MISMATCH,
        ATTENTION
    }

    /** What would have become of a call that is only observed. */
    enum Finding {
        KEY_MISSING,
        KEY_UNUSABLE,
        REPLAY,
        IN_PROGRESS,
        MISMATCH,
        ATTENTION,
        STORE_AWAY
    }

    /** A claim was answered, and how long that took. */
    record Claimed(String operation, Result result, Duration took) implements Event {}

    /** A claim that someone else had begun was acquired: their lease was over, or they had released it. */
    record Resumed(String operation, RecordId id, long fence) implements Event {}

    /** The outcome is stored. */
    record Completed(String operation, RecordId id, Duration ran) implements Event {}

    /** The work failed or its answer was not kept, and a retry may run it. */
    record Released(String operation, RecordId id, Duration ran) implements Event {}

    /** The outcome could not be kept as it was (too large, not encodable, refused by the store): the state alone is. */
    record OutcomeNotKept(String operation, RecordId id, String reason) implements Event {}

    /** The runner lost its claim before its outcome was stored; its own result was dropped. */
    record FencedOut(String operation, RecordId id, long fence) implements Event {}

    /** The work ran longer than the operation's maximum: its lease is no longer renewed. */
    record Overran(String operation, RecordId id, Duration ran) implements Event {}

    /** Neither stored nor read back: nobody knows yet how this run ended. */
    record OutcomeUnknown(String operation, RecordId id) implements Event {}

    /** A retry waited for the one that runs. */
    record Waited(String operation, Duration waited) implements Event {}

    /** A retry was not allowed to wait because too many do already. */
    record WaitRefused(String operation) implements Event {}

    /** The store could not be asked and the operation is configured to run all the same: UNPROTECTED. */
    record FailedOpen(String operation, StoreException cause) implements Event {}

    /** A call to the store failed. */
    record StoreFailed(String call, StoreException cause) implements Event {}

    /** A batch went to the store. */
    record BatchSent(String batcher, int size, Duration took) implements Event {}

    /** A scope holds as many keys as it may; a new key was refused. */
    record QuotaReached(String operation) implements Event {}

    /** Abandoned claims were settled. */
    record Swept(int released, int toAttention) implements Event {}

    /** Expired records were deleted. */
    record Reaped(int count) implements Event {}

    /** A record in attention was settled by someone. */
    record Resolved(RecordId id, String verdict) implements Event {}

    /** Records were erased. */
    record Erased(int count, int leftInUse) implements Event {}

    /** What only an edge sees: before anything is claimed, or beside it. */
    sealed interface AtTheEdge extends Event {}

    /** A call was let through that would not have run, or not under protection, had it not been only observed. */
    record Observed(String operation, Finding finding) implements AtTheEdge {}

    /** A call was refused before anything was claimed, for this reason. */
    record Refused(String operation, String problem) implements AtTheEdge {}

    /** A call came without a key, and one was made for it. */
    record Minted(String operation) implements AtTheEdge {}

    /** What those see who look after flows. */
    sealed interface OfFlows extends Event {}

    /**
     * A phase was committed, and the work stands at this point now.
     *
     * @param mayHaveSent whether what belongs to the point may be sent to another system from now on
     */
    record Passed(String operation, RecordId id, String point, boolean mayHaveSent) implements OfFlows {}

    /** Work that its caller left is being finished without it: the how manieth attempt that is. */
    record TakenUp(String operation, RecordId id, int attempt) implements OfFlows {}

    /** An attempt to finish work without its caller failed; there will be another, or a person has to look. */
    record AttemptFailed(String operation, RecordId id, int attempt, Throwable cause) implements OfFlows {}

    /** So many flows of this kind take longer than they may; the oldest has taken that long. */
    record Overdue(String operation, int count, Duration oldest) implements OfFlows {}

    /**
     * A ledger was read to its end and compared, which took so long.
     *
     * @param entries how many it showed
     * @param open how many findings wait for somebody now, counted no further than a thousand
     */
    record LedgerRead(String ledger, long entries, int open, Duration took) implements OfFlows {}

    /** A ledger could not be read or compared; nothing was judged. */
    record LedgerUnread(String ledger, Throwable cause) implements OfFlows {}

    /** So many entries of a ledger were found not to agree with what we sent, in this way. */
    record Disagreed(String ledger, Kind kind, int count) implements OfFlows {}

    /** So many that did not agree do now. */
    record Agreed(String ledger, int count) implements OfFlows {}

    /** What becomes of staged messages. */
    sealed interface OfTheOutbox extends Event {
        String topic();
    }

    /** A message was delivered, so long after it was staged. */
    record Delivered(String topic, Duration age) implements OfTheOutbox {}

    /** A message was not delivered now, and will be tried again. */
    record PutOff(String topic, Delay why) implements OfTheOutbox {}

    /** A message is not tried any more: it waits for somebody's decision. */
    record DeadLettered(String topic, Settlement.Cause cause) implements OfTheOutbox {}

    /** A delivery ended after somebody else had taken its message over. */
    record DeliveredLate(String topic) implements OfTheOutbox {}

    /** What waits in a topic, counted now and then. */
    record BacklogSeen(String topic, Backlog backlog) implements OfTheOutbox {}

    /** Why a message has to wait. */
    enum Delay {
        FAILED,
        REFUSED,
        NOT_SENT
    }
}
