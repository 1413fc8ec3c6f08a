package dev.refrain.phase;

import dev.refrain.api.Claim;
import dev.refrain.api.Payload;
import java.time.Duration;
import java.util.Optional;

/** The claim of work that runs in phases. */
public interface PhasedClaim<C> extends Claim {

    /**
     * Runs one phase in a transaction of its own and commits what it wrote together with where it leads. Tried again if the
     * database took it back because of a race.
     *
     * @throws ClaimLostException if someone else took the work over: nothing of the phase is left, and this run is over
     */
    <X extends Exception> PhaseTransition commit(Phase<C, X> phase) throws X;

    /**
     * If this run fails from here on, its claim is not given back: what it called may still be on its way, and nobody is to go on before the
     * lease is over.
     */
    void holdUntilLeaseExpires();

    /** What was stored with the first claim to finish it without its caller. */
    Optional<Payload> storedRequest();

    /** What is left of the claim's lease, counted from before it was asked for: never more than the store would say. */
    Duration remainingLease();

    /** How long the record still lives by the store's clock, at the most; empty for ever. */
    Optional<Duration> maxRemainingLife();
}
