package dev.refrain.http;

import dev.refrain.api.Outcome.Answer;
import dev.refrain.api.OutcomeRule;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which answers are kept and replayed, as a named bundle of single settings.
 *
 * <p>An answer that is not kept is treated like a crash of the work: see {@link dev.refrain.api.LeaseExpiryPolicy}. Immutable.
 *
 * @param keeps whether an answer is kept
 * @param keepsExceptions whether an exception thrown by the work is kept as a failure
 * @param mismatchStatus the status of the answer to another request under a used key
 */
public record OutcomeProfile(String name, Predicate<Answer> keeps, boolean keepsExceptions, int mismatchStatus) {

    private static final Set<Integer> TRY_AGAIN = Set.of(408, 409, 425, 429);

    public static final OutcomeProfile DEFAULT =
            new OutcomeProfile("default", a -> a.status() < 500 && !TRY_AGAIN.contains(a.status()), false, 422);

    /** Keeps everything once the work began, a 500 included; a new attempt needs a new key. */
    public static final OutcomeProfile STRIPE = new OutcomeProfile("stripe", a -> a.status() != 429, true, 400);

    public static final OutcomeProfile SQUARE = new OutcomeProfile(
            "square",
            a -> (a.status() >= 200 && a.status() < 300) || (a.status() >= 400 && a.status() < 500),
            false,
            409);

    public static final OutcomeProfile SUCCESS_ONLY =
            new OutcomeProfile("success-only", a -> a.status() >= 200 && a.status() < 300, false, 422);

    /** Keeps everything unless the answer itself says that it is transient. */
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

    /** The same without its status, for an operation. */
    public OutcomeRule rule() {
        return new OutcomeRule(name, keeps, keepsExceptions);
    }

    @Override
    public String toString() {
        return name;
    }
}
