package dev.refrain.trials.simulation.law;

import dev.refrain.api.KeyHash;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.saga.SagaView;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.outbox.MessageSettlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** Event in a world, which rules check. */
public sealed interface SimulationEvent {

    /** Change of one record by one action; {@code at} is the store's clock. */
    record Step(
            String process,
            ScopedKey identity,
            Optional<TimedRecordSnapshot> before,
            Optional<TimedRecordSnapshot> after,
            StoreAction deed,
            Instant at)
            implements SimulationEvent {

        boolean changed() {
            return !(before.isEmpty() && after.isEmpty())
                    && !(before.isPresent() && after.isPresent() && before.get().sameAs(after.get()));
        }

        /** Returns whether the record was erased: its content is gone, the record is not. */
        boolean erased() {
            return deed instanceof StoreAction.Erased && sameRecord() && changed();
        }

        /** Returns whether the record is the same before and after. */
        boolean sameRecord() {
            return before.isPresent()
                    && after.isPresent()
                    && before.get().record().id().equals(after.get().record().id());
        }
    }

    /** Batch that the core sent, by the lookups of its elements. */
    record Batch(String process, List<KeyHash> lookups) implements SimulationEvent {}

    /** End of a sweep that left nothing to the next; {@code at} is the store's clock. */
    record SweepEnded(String process, Duration grace, List<TimedRecordSnapshot> left, Instant at)
            implements SimulationEvent {}

    /** Arrival of an attempt at its process. */
    record Called(ClientAttempt attempt, ObservedProcess runner) implements SimulationEvent {}

    record Began(SimulatedRun run, ObservedProcess runner, Instant at) implements SimulationEvent {}

    record Ended(SimulatedRun run, ObservedEnding how) implements SimulationEvent {}

    /**
     * Time that a run's work took, in true time.
     *
     *
     * @param interruptible whether an interrupt ends it
     */
    record WorkTook(SimulatedRun run, ObservedProcess runner, Duration time, boolean interruptible)
            implements SimulationEvent {}

    /**
     * Start of work without a claim.
     *
     *
     * @param allowed whether its operation may fail open
     * @param told whether that was told
     * @param inPeace whether nothing has kept its process from asking the store since it was called
     */
    record FailedOpen(SimulatedRun run, boolean allowed, boolean told, boolean inPeace) implements SimulationEvent {}

    /** Effect outside that cannot be undone. */
    record Effect(SimulatedRun run, String step, String key) implements SimulationEvent {}

    /** Commit of a run's writes. */
    record Booked(SimulatedRun run) implements SimulationEvent {}

    /** Request for a derived key. */
    record Derived(SimulatedRun run, String step, String key) implements SimulationEvent {}

    /**
     * Action of a downstream on a call of a flow or of a relay.
     *
     *
     * @param about the record, or the message
     * @param smooth whether whoever sent it was not held up of late
     */
    record Acted(String system, SimulatedGuarantee offer, By by, RecordId about, boolean smooth)
            implements SimulationEvent {

        /** Kind of caller. */
        public enum By {
            FLOW,
            RELAY
        }
    }

    /** Commit of a row about a record or a message. */
    record Inserted(String table, RecordId about) implements SimulationEvent {

        /** Suffix of a topic's name for the rows that its handler writes. */
        public static final String BY_HANDLER = " handled";

        /** Prefix of a step's name for the row of its compensation. */
        public static final String UNDO = "undo ";
    }

    /**
     * Start of a leased job of a saga.
     *
     * @param smooth whether its process was not held up of late, so that it began within its lease
     */
    record JobBegan(RecordId saga, boolean smooth) implements SimulationEvent {}

    /** Exception of a compensation, after which it is retried later than those of earlier steps. */
    record UndoFailed(RecordId saga, String step) implements SimulationEvent {}

    /**
     * Findings of the reconciler at the end of the world, by key.
     *
     * @param truth what both sides amount to
     * @param found what it found
     */
    record LedgerSeen(Map<String, FindingKind> truth, Map<String, FindingKind> found) implements SimulationEvent {}

    /** Saga as its view shows it at the end of the world. */
    record SagaSeen(SagaView view) implements SimulationEvent {}

    /** @param line messages of one topic and line are to arrive in the order of staging */
    record Staged(String topic, RecordId message, String line) implements SimulationEvent {}

    /**
     * Start of a world of relays.
     *
     * @param maxAttempts the number of attempts after which a message becomes a dead letter
     */
    record RelaysBegan(int maxAttempts) implements SimulationEvent {}

    /**
     * Lease of a message.
     *
     * @param undisturbedSince whether nothing has held up or killed its relay since
     */
    record Leased(RecordId message, BooleanSupplier undisturbedSince) implements SimulationEvent {}

    /** Start of a delivery of a message. */
    record Tried(RecordId message) implements SimulationEvent {}

    /** Dead letter. */
    record Died(String topic, RecordId message, MessageSettlement.Cause cause) implements SimulationEvent {}

    /**
     * Start of the world.
     *
     *
     * @param flows what the systems offer that flows call, by the flow's name
     * @param hooks what the one offers that messages are sent to
     * @param quota how many keys a scope may hold
     */
    record WorldBegan(Map<String, SimulatedGuarantee> flows, SimulatedGuarantee hooks, OptionalLong quota)
            implements SimulationEvent {}

    /** Answer to a caller; it ran itself if there is a run. */
    record Answered(ClientAttempt attempt, Optional<SimulatedRun> run, ObservedEnding how, Patience patience)
            implements SimulationEvent {}

    /**
     * Circumstances that may have lengthened a call.
     *
     *
     * @param took in true time
     * @param atMost what it may take in an undisturbed process
     * @param clockMayLag by how much the process's clock may be behind the store's since it began
     * @param inPeace whether nothing held the process up of late: then it has heard whatever the store told it
     */
    record Patience(Duration took, Duration atMost, Duration clockMayLag, boolean inPeace) {}

    /** Graceful end of a process; {@code left} names operations that did not end in time. */
    record ShutDown(String process, ObservedProcess runner, List<String> left, boolean undisturbed)
            implements SimulationEvent {}

    /** End of the world, some time after the last fault. */
    record WorldEnded(Map<ScopedKey, TimedRecordSnapshot> records, List<ClientAttempt> open)
            implements SimulationEvent {}
}
