package dev.refrain.run;

import dev.refrain.outcome.Outcome;
import dev.refrain.outcome.Payload;
import java.util.Optional;

/** Where one phase leads. */
public sealed interface Ending {

    /** To a recovery point, with what is needed there. */
    record Passed(String point, Optional<Payload> carried) implements Ending {}

    /** To the outcome. */
    record Done(Outcome.Answer answer) implements Ending {}
}
