package dev.refrain.saga;
/**
 * What stopped a saga.
 *
 * @param reason what the step said
 * @param mayHaveHappened whether the step may have taken effect all the same; then it was undone with the others
 */
public record StepFailure(String step, String reason, boolean mayHaveHappened) {

    private static final int LONGEST = 1_000;

    static StepFailure of(String step, Exception cause, boolean mayHaveHappened) {
        return new StepFailure(step, reason(cause), mayHaveHappened);
    }

    static String reason(Exception cause) {
        String message = cause.getMessage();
        boolean meant = cause instanceof StepFailedException || cause instanceof StepOutcomeUnknownException;
        String said = meant && message != null ? message : cause.toString();
        return said.length() <= LONGEST ? said : said.substring(0, LONGEST);
    }
}
