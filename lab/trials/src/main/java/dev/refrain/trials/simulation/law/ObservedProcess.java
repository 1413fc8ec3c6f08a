package dev.refrain.trials.simulation.law;

import java.time.Duration;
import java.util.UUID;

/** Process, as rules see it. */
public interface ObservedProcess {

    /** Returns whether it made this nonce, and so requested the claim that carries it. */
    boolean made(UUID nonce);

    /** Returns whether it is alive and has been undisturbed for at least this long. */
    boolean inPeaceFor(Duration time);
}
