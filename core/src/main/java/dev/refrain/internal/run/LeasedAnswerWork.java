package dev.refrain.internal.run;

import dev.refrain.api.Claim;
import dev.refrain.api.Outcome;

/** Work whose answer is kept as it is: status, headers, bytes. */
@FunctionalInterface
public interface LeasedAnswerWork<X extends Exception> {

    Outcome.Answer run(Claim claim) throws X;
}
