package dev.refrain.phase;

import dev.refrain.api.Claim;
import dev.refrain.api.Payload;
import java.time.Duration;
import java.util.Optional;

/** Claim of work that runs in phases. */
public interface PhasedClaim<C> extends Claim {

    /**
     * Runs one phase in a new transaction and commits its writes together with its result. Retried if the database rolled it back
     * because of a conflict.
     *
     * @throws ClaimLostException if another claim took the work over: the phase was rolled back, and this run is over
     */
    <X extends Exception> PhaseTransition commit(Phase<C, X> phase) throws X;

    /**
     * Keeps the claim until its lease expires if this run fails from here on: a foreign call may still be in flight, and nobody
     * may resume before.
     */
    void holdUntilLeaseExpires();

    /** Returns the request stored with the first claim, from which the work is completed without its caller. */
    Optional<Payload> storedRequest();

    /** Returns the rest of the claim's lease, measured from before it was requested: never more than by the store's clock. */
    Duration remainingLease();

    /** Returns the greatest remaining lifetime of the record by the store's clock; empty if it never expires. */
    Optional<Duration> maxRemainingLife();
}
