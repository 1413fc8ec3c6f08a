package dev.refrain.observe;

import dev.refrain.api.RecordId;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.StoreException;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.TopicBacklog;
import java.time.Duration;
import java.util.List;

/**
 * An observable event, with one name for metrics, traces and logs.
 *
 * <p>Operations and results make good tags; record ids belong in traces and logs only. No event carries a key, a scope or a body.
 */
public sealed interface RefrainEvent {

    /** Results of a claim. */
    enum ClaimResult {
        ACQUIRED,
        REPLAY,
        REPLAY_FROM_CACHE,
        IN_PROGRESS,
        MISMATCH,
        ATTENTION
    }

    /** Results that a call would have had if it were not only observed. */
    enum ObservedFinding {
        KEY_MISSING,
        KEY_UNUSABLE,
        /** The request has a key, but no protected route covers it; the operation is its method. */
        KEY_NOT_COVERED,
        /** A service behind a gateway steered its answer by a word that the gateway does not know; the word was ignored. */
        OUTCOME_HEADER_UNKNOWN,
        REPLAY,
        IN_PROGRESS,
        MISMATCH,
        ATTENTION,
        STORE_AWAY
    }

    /** A claim was answered, after this time. */
    record Claimed(String operation, ClaimResult result, Duration took) implements RefrainEvent {}

    /** A claim resumed work that another caller had begun: the lease had expired, or the record was released. */
    record Resumed(String operation, RecordId id, long fence) implements RefrainEvent {}

    /** The outcome was stored. */
    record Completed(String operation, RecordId id, Duration ran) implements RefrainEvent {}

    /** The work failed or its answer was not stored; a retry may run it. */
    record Released(String operation, RecordId id, Duration ran) implements RefrainEvent {}

    /** Only the state was stored, because the outcome was too large, could not be encoded, or was rejected by the store. */
    record OutcomeNotKept(String operation, RecordId id, String reason) implements RefrainEvent {}

    /** The runner lost its claim before its outcome was stored; its own result was discarded. */
    record FencedOut(String operation, RecordId id, long fence) implements RefrainEvent {}

    /** The work ran longer than the operation's maximum; its lease is no longer renewed. */
    record MaxRunTimeExceeded(String operation, RecordId id, Duration ran) implements RefrainEvent {}

    /** The outcome could neither be stored nor read back; how this run ended is not known yet. */
    record OutcomeUnknown(String operation, RecordId id) implements RefrainEvent {}

    /** A retry waited for the running request. */
    record Waited(String operation, Duration waited) implements RefrainEvent {}

    /** A retry was not allowed to wait because too many already do. */
    record WaitRefused(String operation) implements RefrainEvent {}

    /** The store was unreachable, and the operation ran UNPROTECTED, as configured. */
    record FailedOpen(String operation, StoreException cause) implements RefrainEvent {}

    /** A call to the store failed. */
    record StoreFailed(String call, StoreException cause) implements RefrainEvent {}

    /** A batch was sent to the store. */
    record BatchSent(String batcher, int size, Duration took) implements RefrainEvent {}

    /** A call was refused because the store would not have served it in time. Nothing ran. */
    record StoreOverloaded(String operation) implements RefrainEvent {}

    /** A new key was rejected because its scope holds the maximum number of keys. */
    record QuotaReached(String operation) implements RefrainEvent {}

    /** The sweeper settled abandoned claims. */
    record Swept(int released, int toAttention) implements RefrainEvent {}

    /**
     * Records came to attention: by a worker, of which no caller learns, or in a flow whose caller is told so.
     *
     * @param unlisted how many more a worker moved
     * @param why what is known, as a clause without its full stop
     */
    record Escalated(List<EscalatedRecord> records, int unlisted, String why) implements RefrainEvent {}

    /** The reaper deleted expired records. */
    record Reaped(int count) implements RefrainEvent {}

    /** A record in attention was resolved. */
    record Resolved(RecordId id, String verdict) implements RefrainEvent {}

    /** Records were erased. */
    record Erased(int count, int leftInUse) implements RefrainEvent {}

    /** Events that only edges report: before a claim, or beside it. */
    sealed interface EdgeEvent extends RefrainEvent {}

    /** A call was let through, only because its route is observed, that would have been rejected or replayed. */
    record ObservedOnly(String operation, ObservedFinding finding) implements EdgeEvent {}

    /** A call was rejected before anything was claimed, for this reason. */
    record Refused(String operation, String problem) implements EdgeEvent {}

    /** A call came without a key, and one was generated. */
    record KeyGenerated(String operation) implements EdgeEvent {}

    /** Events of flows and reconciliation. */
    sealed interface FlowEvent extends RefrainEvent {}

    /**
     * A phase was committed at this recovery point.
     *
     * @param mayHaveSent whether the foreign call of this point may be sent from now on
     */
    record CheckpointCommitted(String operation, RecordId id, String point, boolean mayHaveSent) implements FlowEvent {}

    /** The completer started this attempt to complete abandoned work. */
    record CompletionAttempted(String operation, RecordId id, int attempt) implements FlowEvent {}

    /** An attempt to complete abandoned work failed; another one follows, or the record needs attention. */
    record AttemptFailed(String operation, RecordId id, int attempt, Throwable cause) implements FlowEvent {}

    /** This number of flows is overdue, the oldest by its age. */
    record Overdue(String operation, int count, Duration oldest) implements FlowEvent {}

    /**
     * A ledger was read to its end and compared, in this time.
     *
     * @param entries how many entries it has
     * @param open how many findings are open now, counted up to a thousand
     */
    record LedgerRead(String ledger, long entries, int open, Duration took) implements FlowEvent {}

    /** A ledger could not be read or compared; no findings were changed. */
    record LedgerReadFailed(String ledger, Throwable cause) implements FlowEvent {}

    /** Findings of this kind were opened: entries of a ledger that differ from what was sent. */
    record LedgerFindingsOpened(String ledger, FindingKind kind, int count) implements FlowEvent {}

    /** Findings were closed: the ledger and what was sent agree now. */
    record LedgerFindingsClosed(String ledger, int count) implements FlowEvent {}

    /** Events of staged messages. */
    sealed interface OutboxEvent extends RefrainEvent {
        String topic();
    }

    /** A message was delivered, this long after it was staged. */
    record Delivered(String topic, Duration age) implements OutboxEvent {}

    /** A delivery failed and will be retried. */
    record DeliveryDelayed(String topic, DelayReason why) implements OutboxEvent {}

    /** A message became a dead letter, which somebody has to resolve. */
    record DeadLettered(String topic, MessageSettlement.Cause cause) implements OutboxEvent {}

    /** A delivery ended after another relay had taken its message over. */
    record DeliveredLate(String topic) implements OutboxEvent {}

    /** Backlog of a topic, measured at intervals. */
    record BacklogMeasured(String topic, TopicBacklog backlog) implements OutboxEvent {}

    /** Reasons for a delayed delivery. */
    enum DelayReason {
        FAILED,
        REFUSED,
        NOT_SENT
    }
}
