package dev.refrain.spring.method;

import dev.refrain.Refrain;
import dev.refrain.spring.RefrainStartException;
import java.lang.reflect.Type;

/** Check that a retry can be given the result of a method, which is stored by the codec. A result that cannot be read would show at the first retry. */
final class ReplayableResult {

    private ReplayableResult() {}

    /** @throws RefrainStartException if the codec can never write or read results of the type */
    static void require(String name, Type result, Refrain refrain) {
        try {
            refrain.requireStorable(result, name + " is @Idempotent, but a retry could not be given its result");
        } catch (IllegalArgumentException notStorable) {
            throw new RefrainStartException(
                    String.valueOf(notStorable.getMessage()),
                    "Change what the method returns, or let it return nothing.",
                    notStorable);
        }
    }
}
