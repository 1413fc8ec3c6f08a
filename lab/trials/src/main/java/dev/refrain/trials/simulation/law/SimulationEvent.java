package dev.refrain.trials.simulation.law;

import dev.refrain.api.KeyHash;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.outbox.MessageSettlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Something that a rule may have an opinion on. */
public sealed interface SimulationEvent {

    /** One record before and after one deed; {@code at} is the store's clock. */
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

        /** What the record says is gone, the record is not. */
        boolean erased() {
            return deed instanceof StoreAction.Erased && sameRecord() && changed();
        }

        /** The same record before and after. */
        boolean sameRecord() {
            return before.isPresent()
                    && after.isPresent()
                    && before.get().record().id().equals(after.get().record().id());
        }
    }

    /** A batch as the core sent it, by what its questions are about. */
    record Batch(String process, List<KeyHash> lookups) implements SimulationEvent {}

    /** An attempt reached its process. */
    record Called(ClientAttempt attempt, ObservedProcess runner) implements SimulationEvent {}

    record Began(SimulatedRun run, ObservedProcess runner, Instant at) implements SimulationEvent {}

    record Ended(SimulatedRun run, ObservedEnding how) implements SimulationEvent {}

    /**
     * Work begins without a claim.
     *
     * @param allowed whether its operation may fail open
     * @param told whether that was told
     * @param inPeace whether nothing has kept its process from asking the store since it was called
     */
    record FailedOpen(SimulatedRun run, boolean allowed, boolean told, boolean inPeace) implements SimulationEvent {}

    /** Something happened outside that cannot be taken back. */
    record Effect(SimulatedRun run, String step, String key) implements SimulationEvent {}

    /** A transaction committed what this run wrote. */
    record Booked(SimulatedRun run) implements SimulationEvent {}

    /** A key for a downstream system was asked for. */
    record Derived(SimulatedRun run, String step, String key) implements SimulationEvent {}

    /**
     * Another system acted on a call of a flow or of a relay.
     *
     * @param about the record, or the message
     * @param smooth whether whoever sent it was not held up of late
     */
    record Acted(String system, SimulatedGuarantee offer, By by, RecordId about, boolean smooth)
            implements SimulationEvent {

        /** Who calls. */
        public enum By {
            FLOW,
            RELAY
        }
    }

    /** A transaction committed a row about a record, or a message. */
    record Inserted(String table, RecordId about) implements SimulationEvent {

        /** Behind the name of a topic: what its handler writes. */
        public static final String BY_HANDLER = " handled";
    }

    /** @param line messages of one topic and line are to arrive in the order of staging */
    record Staged(String topic, RecordId message, String line) implements SimulationEvent {}

    /** A message was given up. */
    record Died(String topic, RecordId message, MessageSettlement.Cause cause) implements SimulationEvent {}

    /**
     * What is known before anything happens.
     *
     * @param flows what the systems offer that flows call, by the flow's name
     * @param hooks what the one offers that messages are sent to
     * @param quota how many keys a scope may hold
     */
    record WorldBegan(Map<String, SimulatedGuarantee> flows, SimulatedGuarantee hooks, OptionalLong quota)
            implements SimulationEvent {}

    /** The caller has its answer; it ran by itself if a run is there. */
    record Answered(ClientAttempt attempt, Optional<SimulatedRun> run, ObservedEnding how, Patience patience)
            implements SimulationEvent {}

    /**
     * What may have lengthened a call.
     *
     * @param took in true time
     * @param atMost what it may take in an undisturbed process
     * @param clockMayLag by how much the process's clock may be behind the store's since it began
     * @param inPeace whether nothing held the process up of late: then it has heard whatever the store told it
     */
    record Patience(Duration took, Duration atMost, Duration clockMayLag, boolean inPeace) {}

    /** A process ended as it should; {@code left} names operations that did not end in time. */
    record ShutDown(String process, ObservedProcess runner, List<String> left, boolean undisturbed)
            implements SimulationEvent {}

    /** All faults have stopped and enough time has passed. */
    record WorldEnded(Map<ScopedKey, TimedRecordSnapshot> records, List<ClientAttempt> open)
            implements SimulationEvent {}
}
