package dev.refrain.outcome;

import dev.refrain.outcome.Outcome.Answer;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which answers are kept and replayed, as a named bundle of single settings.
 *
 * <p>An answer that is not kept is treated like a crash of the work: see {@link dev.refrain.store.TakeOver}. Immutable.
 *
 * @param keeps whether an answer is kept
 * @param keepsExceptions whether an exception thrown by the work is kept as a failure
 * @param mismatchStatus what an HTTP edge answers to another request under a used key
 */
public record Profile(String name, Predicate<Answer> keeps, boolean keepsExceptions, int mismatchStatus) {

    private static final Set<Integer> TRY_AGAIN = Set.of(408, 409, 425, 429);

    public static final Profile DEFAULT =
            new Profile("default", a -> a.status() < 500 && !TRY_AGAIN.contains(a.status()), false, 422);

    /** Keeps everything once the work began, a 500 included; a new attempt needs a new key. */
    public static final Profile STRIPE = new Profile("stripe", a -> a.status() != 429, true, 400);

    public static final Profile SQUARE = new Profile(
            "square",
            a -> (a.status() >= 200 && a.status() < 300) || (a.status() >= 400 && a.status() < 500),
            false,
            409);

    public static final Profile SUCCESS_ONLY =
            new Profile("success-only", a -> a.status() >= 200 && a.status() < 300, false, 422);

    /** Keeps everything unless the answer itself says that it is transient. */
    public static final Profile ADYEN = new Profile(
            "adyen",
            a -> a.header("Transient-Error").filter("true"::equalsIgnoreCase).isEmpty(),
            true,
            422);

    public Profile withKeepRule(Predicate<Answer> rule) {
        return new Profile(name + "*", rule, keepsExceptions, mismatchStatus);
    }

    public Profile withKeepsExceptions(boolean kept) {
        return new Profile(name + "*", keeps, kept, mismatchStatus);
    }

    public Profile withMismatchStatus(int status) {
        return new Profile(name + "*", keeps, keepsExceptions, status);
    }

    @Override
    public String toString() {
        return name;
    }
}
