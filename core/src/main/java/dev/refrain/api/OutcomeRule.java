package dev.refrain.api;

import dev.refrain.api.Outcome.Answer;
import java.util.function.Predicate;

/**
 * Says which outcomes of an operation are kept and replayed.
 *
 * <p>An answer that is not kept is treated like a crash of the work: see {@link LeaseExpiryPolicy}. Immutable.
 *
 * <pre>{@code
 * var charge = refrain.operation("charge", Receipt.class).outcomeRule(OutcomeRule.EVERYTHING);
 * }</pre>
 *
 * @param kept whether an answer is kept
 * @param keepsExceptions whether an exception thrown by the work is kept as a failure
 */
public record OutcomeRule(String name, Predicate<Answer> kept, boolean keepsExceptions) {

    private static final System.Logger LOG = System.getLogger(OutcomeRule.class.getName());

    /** Keeps what the work returns, unless that is an answer which says that it failed; not what it throws. */
    public static final OutcomeRule DEFAULT = new OutcomeRule("default", answer -> !answer.isFailure(), false);

    /** Keeps what the work returns and what it throws: a new attempt needs a new key. */
    public static final OutcomeRule EVERYTHING = new OutcomeRule("everything", answer -> true, true);

    /** The same for answers; whatever the work throws is not kept. */
    public OutcomeRule withoutExceptions() {
        return new OutcomeRule(name, kept, false);
    }

    /** Whether the answer is kept. A rule that fails has not said no: the work is done, and the key is not freed for that. */
    public boolean keeps(Answer answer) {
        try {
            return kept.test(answer);
        } catch (RuntimeException defect) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The outcome rule " + name + " failed on an answer, which is therefore kept",
                    defect);
            return true;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
