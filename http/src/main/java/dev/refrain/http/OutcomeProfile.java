package dev.refrain.http;

import dev.refrain.api.Outcome.Answer;
import dev.refrain.api.OutcomeRule;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Named set of rules for which responses are stored and replayed.
 *
 * <p>A response that is not stored is treated as if the handler had crashed: see {@link dev.refrain.api.LeaseExpiryPolicy}.
 * Immutable.
 *
 * @param keeps whether a response is stored
 * @param keepsExceptions whether an exception thrown by the handler is stored as a failure
 * @param mismatchStatus the status for a different request under a key already in use
 */
public record OutcomeProfile(String name, Predicate<Answer> keeps, boolean keepsExceptions, int mismatchStatus) {

    private static final Set<Integer> TRY_AGAIN = Set.of(408, 409, 425, 429);

    public static final OutcomeProfile DEFAULT =
            new OutcomeProfile("default", a -> a.status() < 500 && !TRY_AGAIN.contains(a.status()), false, 422);

    /** Stores every response once the handler has started, including a 500; a new attempt needs a new key. */
    public static final OutcomeProfile STRIPE = new OutcomeProfile("stripe", a -> a.status() != 429, true, 400);

    public static final OutcomeProfile SQUARE = new OutcomeProfile(
            "square",
            a -> (a.status() >= 200 && a.status() < 300) || (a.status() >= 400 && a.status() < 500),
            false,
            409);

    public static final OutcomeProfile SUCCESS_ONLY =
            new OutcomeProfile("success-only", a -> a.status() >= 200 && a.status() < 300, false, 422);

    /** Stores every response unless its {@code Transient-Error} header is {@code true}. */
    public static final OutcomeProfile ADYEN = new OutcomeProfile(
            "adyen",
            a -> a.header("Transient-Error").filter("true"::equalsIgnoreCase).isEmpty(),
            true,
            422);

    public OutcomeProfile withKeepRule(Predicate<Answer> rule) {
        return new OutcomeProfile(name + "*", rule, keepsExceptions, mismatchStatus);
    }

    public OutcomeProfile withKeepsExceptions(boolean kept) {
        return new OutcomeProfile(name + "*", keeps, kept, mismatchStatus);
    }

    public OutcomeProfile withMismatchStatus(int status) {
        return new OutcomeProfile(name + "*", keeps, keepsExceptions, status);
    }

    /** Returns the rule for storing outcomes, without the mismatch status, as an operation needs it. */
    public OutcomeRule rule() {
        return new OutcomeRule(name, keeps, keepsExceptions);
    }

    @Override
    public String toString() {
        return name;
    }
}
