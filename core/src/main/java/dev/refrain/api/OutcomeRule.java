package dev.refrain.api;

import dev.refrain.api.Outcome.Answer;
import java.util.function.Predicate;

/**
 * Rule for which outcomes of an operation are stored and replayed.
 *
 * <p>An answer that is not stored is treated as if the work had crashed: see {@link LeaseExpiryPolicy}. Immutable.
 * <pre>{@code
 * var charge = refrain.operation("charge", Receipt.class).outcomeRule(OutcomeRule.EVERYTHING);
 * }</pre>
 *
 * @param kept whether an answer is stored
 * @param keepsExceptions whether an exception thrown by the work is stored as a failure
 */
public record OutcomeRule(String name, Predicate<Answer> kept, boolean keepsExceptions) {

    private static final System.Logger LOG = System.getLogger(OutcomeRule.class.getName());

    /** Stores what the work returns, unless it is an answer with a failure status; does not store exceptions. */
    public static final OutcomeRule DEFAULT = new OutcomeRule("default", answer -> !answer.isFailure(), false);

    /** Stores what the work returns and what it throws: a new attempt needs a new key. */
    public static final OutcomeRule EVERYTHING = new OutcomeRule("everything", answer -> true, true);

    /** Returns the same rule for answers, without storing exceptions. */
    public OutcomeRule withoutExceptions() {
        return new OutcomeRule(name, kept, false);
    }

    /**
     * Returns true if the answer is stored. An answer is also stored if the rule throws, because the work is done and its key
     * must not be released.
     */
    public boolean keeps(Answer answer) {
        try {
            return kept.test(answer);
        } catch (RuntimeException defect) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The outcome rule " + name + " failed on an answer, which is therefore stored",
                    defect);
            return true;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
