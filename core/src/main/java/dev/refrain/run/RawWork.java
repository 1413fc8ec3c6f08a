package dev.refrain.run;

import dev.refrain.claim.Claim;
import dev.refrain.outcome.Outcome;

/** Work whose answer is kept as it is: status, headers, bytes. */
@FunctionalInterface
public interface RawWork<X extends Exception> {

    Outcome.Answer run(Claim claim) throws X;
}
