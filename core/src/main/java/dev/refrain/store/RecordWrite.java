package dev.refrain.store;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import java.time.Duration;
import java.util.Optional;

/** Change to a claimed record by the holder of its claim. */
public sealed interface RecordWrite {

    ClaimRef claim();

    /**
     * Completes the record. Also accepted in {@link RecordState#ATTENTION} under the same fence: the late runner itself knows
     * best.
     *
     * @param outcome absent to store the state alone
     * @param retention replaces the record's, counted from its first claim; absent to keep it
     */
    record Complete(ClaimRef claim, Optional<Payload> outcome, Optional<Retention> retention) implements RecordWrite {}

    /**
     * Releases the record: not done, and nobody runs it any more. Id, fingerprint, fence and expiry stay.
     *
     * @param retryDelay minimum delay before a completer polls it; zero to leave its schedule unchanged
     * @param reason why, for people who look at the attempts of the record; empty if there is nothing to say
     */
    record Release(ClaimRef claim, Duration retryDelay, String reason) implements RecordWrite {

        public Release(ClaimRef claim) {
            this(claim, Duration.ZERO);
        }

        public Release(ClaimRef claim, Duration retryDelay) {
            this(claim, retryDelay, "");
        }
    }

    /** Moves the record to attention: it is unknown whether the work took effect. */
    record Escalate(ClaimRef claim, String reason) implements RecordWrite {}

    /**
     * Stores a recovery point and the state that the next phase needs. The time is stored with a point whose call is announced.
     *
     * @param lease a new lease from now; absent to leave it unchanged
     */
    record Checkpoint(ClaimRef claim, RecoveryPoint recoveryPoint, Optional<Payload> carried, Optional<Duration> lease)
            implements RecordWrite {}

    /** Renews the lease from now on, while the work runs. */
    record Renew(ClaimRef claim, Duration lease) implements RecordWrite {}
}
