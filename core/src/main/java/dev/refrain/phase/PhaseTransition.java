package dev.refrain.phase;

import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import java.util.Optional;

/** Where one phase leads. */
public sealed interface PhaseTransition {

    /** To a recovery point, with what is needed there. */
    record Checkpoint(String point, Optional<Payload> carried) implements PhaseTransition {}

    /** To the outcome. */
    record Completion(Outcome.Answer answer) implements PhaseTransition {}
}
