package dev.refrain.phase;

import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import java.util.Optional;

/** Result of a phase: a recovery point or the outcome. */
public sealed interface PhaseTransition {

    /** Continues at a recovery point, with the state needed there. */
    record Checkpoint(RecoveryPoint point, Optional<Payload> carried) implements PhaseTransition {}

    /** Completes the work with an outcome. */
    record Completion(Outcome.Answer answer) implements PhaseTransition {}
}
