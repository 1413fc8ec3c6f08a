package dev.refrain.http.contract;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;

/**
 * What a route stores and what becomes of a request that failed, as it is published. The profile alone does not say it: a route that holds
 * stores failures too, whatever its profile, and a flow stores its result.
 *
 * @param kept the name of the profile where that decides, otherwise in words
 * @param failures in words
 */
public record PublishedOutcomes(String kept, String failures) {

    /** Returns what holds for a route whose handler is called in this process. */
    public static PublishedOutcomes of(RoutePolicy policy) {
        if (policy.key().requirement() == KeyRequirement.OBSERVE) {
            return new PublishedOutcomes("nothing: only observed", "a retry runs again");
        }
        var outcomes = switch (policy.run().mode()) {
            case OperationMode.Flow flow ->
                new PublishedOutcomes("the result of the flow", "continued from the last committed phase");
            case OperationMode.Leased leased ->
                leased.takeOver() == LeaseExpiryPolicy.HOLD
                        ? new PublishedOutcomes(
                                "every response", "stored as a 500, or outcome-unknown; a retry never runs again")
                        : byProfile(policy);
            case OperationMode.Transactional transactional -> byProfile(policy);
        };
        return policy.replay().keepStateOnly()
                ? new PublishedOutcomes(outcomes.kept() + ", without its content", outcomes.failures())
                : outcomes;
    }

    private static PublishedOutcomes byProfile(RoutePolicy policy) {
        var profile = policy.replay().profile();
        return new PublishedOutcomes(
                profile.name(), profile.keepsExceptions() ? "stored as a 500" : "not stored; a retry runs");
    }
}
