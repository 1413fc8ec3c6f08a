package dev.refrain.observe;

import dev.refrain.api.RecordId;
import dev.refrain.store.StoreException;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.TopicBacklog;
import java.time.Duration;

/**
 * Something that happened, named once for metrics, traces and logs alike.
 *
 * <p>Operations and results make good tags; record ids belong in traces and logs only. No event carries a key, a scope or
 * a body.
 */
public sealed interface RefrainEvent {

    /** How a claim was answered. */
    enum ClaimResult {
        ACQUIRED,
        REPLAY,
        REPLAY_FROM_CACHE,
        IN_PROGRESS,
        MISMATCH,
        ATTENTION
    }

    /** What would have become of a call that is only observed. */
    enum ObservedFinding {
        KEY_MISSING,
        KEY_UNUSABLE,
        REPLAY,
        IN_PROGRESS,
        MISMATCH,
        ATTENTION,
        STORE_AWAY
    }

    /** A claim was answered, and how long that took. */
    record Claimed(String operation, ClaimResult result, Duration took) implements RefrainEvent {}

    /** A claim that someone else had begun was acquired: their lease was over, or they had released it. */
    record Resumed(String operation, RecordId id, long fence) implements RefrainEvent {}

    /** The outcome is stored. */
    record Completed(String operation, RecordId id, Duration ran) implements RefrainEvent {}

    /** The work failed or its answer was not kept, and a retry may run it. */
    record Released(String operation, RecordId id, Duration ran) implements RefrainEvent {}

    /** The outcome could not be kept as it was (too large, not encodable, refused by the store): the state alone is. */
    record OutcomeNotKept(String operation, RecordId id, String reason) implements RefrainEvent {}

    /** The runner lost its claim before its outcome was stored; its own result was dropped. */
    record FencedOut(String operation, RecordId id, long fence) implements RefrainEvent {}

    /** The work ran longer than the operation's maximum: its lease is no longer renewed. */
    record MaxRunTimeExceeded(String operation, RecordId id, Duration ran) implements RefrainEvent {}

    /** Neither stored nor read back: nobody knows yet how this run ended. */
    record OutcomeUnknown(String operation, RecordId id) implements RefrainEvent {}

    /** A retry waited for the one that runs. */
    record Waited(String operation, Duration waited) implements RefrainEvent {}

    /** A retry was not allowed to wait because too many do already. */
    record WaitRefused(String operation) implements RefrainEvent {}

    /** The store could not be asked and the operation is configured to run all the same: UNPROTECTED. */
    record FailedOpen(String operation, StoreException cause) implements RefrainEvent {}

    /** A call to the store failed. */
    record StoreFailed(String call, StoreException cause) implements RefrainEvent {}

    /** A batch went to the store. */
    record BatchSent(String batcher, int size, Duration took) implements RefrainEvent {}

    /** A scope holds as many keys as it may; a new key was refused. */
    record QuotaReached(String operation) implements RefrainEvent {}

    /** Abandoned claims were settled. */
    record Swept(int released, int toAttention) implements RefrainEvent {}

    /** Expired records were deleted. */
    record Reaped(int count) implements RefrainEvent {}

    /** A record in attention was settled by someone. */
    record Resolved(RecordId id, String verdict) implements RefrainEvent {}

    /** Records were erased. */
    record Erased(int count, int leftInUse) implements RefrainEvent {}

    /** What only an edge sees: before anything is claimed, or beside it. */
    sealed interface EdgeEvent extends RefrainEvent {}

    /** A call was let through that would not have run, or not under protection, had it not been only observed. */
    record ObservedOnly(String operation, ObservedFinding finding) implements EdgeEvent {}

    /** A call was refused before anything was claimed, for this reason. */
    record Refused(String operation, String problem) implements EdgeEvent {}

    /** A call came without a key, and one was made for it. */
    record KeyGenerated(String operation) implements EdgeEvent {}

    /** What those see who look after flows. */
    sealed interface FlowEvent extends RefrainEvent {}

    /**
     * A phase was committed, and the work stands at this point now.
     *
     * @param mayHaveSent whether what belongs to the point may be sent to another system from now on
     */
    record CheckpointCommitted(String operation, RecordId id, String point, boolean mayHaveSent) implements FlowEvent {}

    /** Work that its caller left is being finished without it: the how manieth attempt that is. */
    record CompletionAttempted(String operation, RecordId id, int attempt) implements FlowEvent {}

    /** An attempt to finish work without its caller failed; there will be another, or a person has to look. */
    record AttemptFailed(String operation, RecordId id, int attempt, Throwable cause) implements FlowEvent {}

    /** So many flows of this kind take longer than they may; the oldest has taken that long. */
    record Overdue(String operation, int count, Duration oldest) implements FlowEvent {}

    /**
     * A ledger was read to its end and compared, which took so long.
     *
     * @param entries how many it showed
     * @param open how many findings wait for somebody now, counted no further than a thousand
     */
    record LedgerRead(String ledger, long entries, int open, Duration took) implements FlowEvent {}

    /** A ledger could not be read or compared; nothing was judged. */
    record LedgerReadFailed(String ledger, Throwable cause) implements FlowEvent {}

    /** So many entries of a ledger were found not to agree with what we sent, in this way. */
    record LedgerFindingsOpened(String ledger, FindingKind kind, int count) implements FlowEvent {}

    /** So many that did not agree do now. */
    record LedgerFindingsClosed(String ledger, int count) implements FlowEvent {}

    /** What becomes of staged messages. */
    sealed interface OutboxEvent extends RefrainEvent {
        String topic();
    }

    /** A message was delivered, so long after it was staged. */
    record Delivered(String topic, Duration age) implements OutboxEvent {}

    /** A message was not delivered now, and will be tried again. */
    record DeliveryDelayed(String topic, DelayReason why) implements OutboxEvent {}

    /** A message is not tried any more: it waits for somebody's decision. */
    record DeadLettered(String topic, MessageSettlement.Cause cause) implements OutboxEvent {}

    /** A delivery ended after somebody else had taken its message over. */
    record DeliveredLate(String topic) implements OutboxEvent {}

    /** What waits in a topic, counted now and then. */
    record BacklogMeasured(String topic, TopicBacklog backlog) implements OutboxEvent {}

    /** Why a message has to wait. */
    enum DelayReason {
        FAILED,
        REFUSED,
        NOT_SENT
    }
}
