package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import java.time.Duration;
import java.util.Optional;

/** A change to a claimed record, by whoever holds the claim. */
public sealed interface RecordWrite {

    ClaimRef claim();

    /**
     * The work is done. Also accepted in {@link RecordState#ATTENTION} under the same fence: its own late runner knows best.
     *
     * @param outcome absent to keep the state alone
     * @param retention replaces the record's, counted from its first claim; absent to leave it
     */
    record Complete(ClaimRef claim, Optional<Payload> outcome, Optional<Retention> retention) implements RecordWrite {}

    /**
     * Nobody runs it any more and it is not done. The record stays: id, fingerprint, fence, expiry.
     *
     * @param retryDelay for so long nobody takes it up without its caller; zero to leave that as it is
     */
    record Release(ClaimRef claim, Duration retryDelay) implements RecordWrite {

        public Release(ClaimRef claim) {
            this(claim, Duration.ZERO);
        }
    }

    /** Whether it took effect cannot be known. */
    record Escalate(ClaimRef claim, String reason) implements RecordWrite {}

    /**
     * A phase is done: its name, and what the next one needs.
     *
     * @param lease a new one from now; absent to leave it as it is
     */
    record Checkpoint(ClaimRef claim, String recoveryPoint, Optional<Payload> carried, Optional<Duration> lease)
            implements RecordWrite {}

    /** The work still runs: a new lease from now. */
    record Renew(ClaimRef claim, Duration lease) implements RecordWrite {}
}
