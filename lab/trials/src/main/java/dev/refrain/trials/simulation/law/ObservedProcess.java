package dev.refrain.trials.simulation.law;

import java.time.Duration;
import java.util.UUID;

/** A process, as far as a rule needs to know it. */
public interface ObservedProcess {

    /** Whether it made this nonce, and so asked for the claim that carries it. */
    boolean made(UUID nonce);

    /** Whether it lives and nothing has held it up or let it down for at least so long. */
    boolean inPeaceFor(Duration time);
}
