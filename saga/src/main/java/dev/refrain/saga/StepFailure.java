package dev.refrain.saga;
/**
 * Failure of a step, which ended a saga.
 *
 * @param reason the message of the exception
 * @param mayHaveHappened whether the step may have taken effect nevertheless; then it is compensated with the others
 */
public record StepFailure(String step, String reason, boolean mayHaveHappened) {

    private static final int LONGEST = 1_000;

    static StepFailure of(String step, Exception cause, boolean mayHaveHappened) {
        return new StepFailure(step, reason(cause), mayHaveHappened);
    }

    static String reason(Exception cause) {
        String message = cause.getMessage();
        boolean meant = cause instanceof StepFailedException
                || cause instanceof StepOutcomeUnknownException
                || cause instanceof CompensationRequestedException;
        String said = meant && message != null ? message : cause.toString();
        return said.length() <= LONGEST ? said : said.substring(0, LONGEST);
    }
}
