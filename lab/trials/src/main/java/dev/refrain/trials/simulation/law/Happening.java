package dev.refrain.trials.simulation.law;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.key.RecordId;
import dev.refrain.store.outbox.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Something that a rule may have an opinion on. */
public sealed interface Happening {

    /** One record before and after one deed; {@code at} is the store's clock. */
    record Step(String process, Identity identity, Optional<Seen> before, Optional<Seen> after, Deed deed, Instant at)
            implements Happening {

        boolean changed() {
            return !(before.isEmpty() && after.isEmpty())
                    && !(before.isPresent() && after.isPresent() && before.get().sameAs(after.get()));
        }

        /** What the record says is gone, the record is not. */
        boolean erased() {
            return deed instanceof Deed.Erased && sameRecord() && changed();
        }

        /** The same record before and after. */
        boolean sameRecord() {
            return before.isPresent()
                    && after.isPresent()
                    && before.get().record().id().equals(after.get().record().id());
        }
    }

    /** A batch as the core sent it, by what its questions are about. */
    record Batch(String process, List<Lookup> lookups) implements Happening {}

    /** An attempt reached its process. */
    record Called(Attempt attempt, Runner runner) implements Happening {}

    record Began(Run run, Runner runner, Instant at) implements Happening {}

    record Ended(Run run, Ending how) implements Happening {}

    /**
     * Work begins without a claim.
     *
     * @param allowed whether its operation may fail open
     * @param told whether that was told
     * @param inPeace whether nothing has kept its process from asking the store since it was called
     */
    record FailedOpen(Run run, boolean allowed, boolean told, boolean inPeace) implements Happening {}

    /** Something happened outside that cannot be taken back. */
    record Effect(Run run, String step, String key) implements Happening {}

    /** A transaction committed what this run wrote. */
    record Booked(Run run) implements Happening {}

    /** A key for a downstream system was asked for. */
    record Derived(Run run, String step, String key) implements Happening {}

    /**
     * Another system acted on a call of a flow or of a relay.
     *
     * @param about the record, or the message
     * @param smooth whether whoever sent it was not held up of late
     */
    record Acted(String system, Offer offer, By by, RecordId about, boolean smooth) implements Happening {

        /** Who calls. */
        public enum By {
            FLOW,
            RELAY
        }
    }

    /** A transaction committed a row about a record, or a message. */
    record Inserted(String table, RecordId about) implements Happening {

        /** Behind the name of a topic: what its handler writes. */
        public static final String BY_HANDLER = " handled";
    }

    /** @param line messages of one topic and line are to arrive in the order of staging */
    record Staged(String topic, RecordId message, String line) implements Happening {}

    /** A message was given up. */
    record Died(String topic, RecordId message, Settlement.Cause cause) implements Happening {}

    /**
     * What is known before anything happens.
     *
     * @param flows what the systems offer that flows call, by the flow's name
     * @param hooks what the one offers that messages are sent to
     * @param quota how many keys a scope may hold
     */
    record WorldBegan(Map<String, Offer> flows, Offer hooks, OptionalLong quota) implements Happening {}

    /** The caller has its answer; it ran by itself if a run is there. */
    record Answered(Attempt attempt, Optional<Run> run, Ending how, Patience patience) implements Happening {}

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
    record ShutDown(String process, Runner runner, List<String> left, boolean undisturbed) implements Happening {}

    /** All faults have stopped and enough time has passed. */
    record WorldEnded(Map<Identity, Seen> records, List<Attempt> open) implements Happening {}
}
