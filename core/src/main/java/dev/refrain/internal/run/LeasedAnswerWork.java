package dev.refrain.internal.run;

import dev.refrain.api.Claim;
import dev.refrain.api.Outcome;

/** Work whose answer (status, headers, bytes) is stored unchanged. */
@FunctionalInterface
public interface LeasedAnswerWork<X extends Exception> {

    Outcome.Answer run(Claim claim) throws X;
}
