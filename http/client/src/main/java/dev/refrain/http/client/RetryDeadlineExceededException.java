package dev.refrain.http.client;

import java.util.OptionalInt;

/**
 * Thrown when the deadline passed without a final response. Whether the request took effect is unknown. It stays
 * pending: resend it under the same key with {@link RefrainClient#resend(PendingRequest)}.
 */
public final class RetryDeadlineExceededException extends RefrainClientException {
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final int lastStatus;

    RetryDeadlineExceededException(PendingRequest intent, int attempts, SendAttemptResult last) {
        super(
                intent.key(),
                "no final response after " + attempts + " attempts; the last one "
                        + (last instanceof SendAttemptResult.RetryableResult refused
                                ? "got a " + refused.status()
                                : "failed"
                                        + (last instanceof SendAttemptResult.FailedResult failed
                                                ? because(failed.why())
                                                : ""))
                        + ". The request is pending: resend it under this key before " + intent.retryUntil() + ".",
                last instanceof SendAttemptResult.FailedResult failed ? failed.why() : null);
        this.attempts = attempts;
        this.lastStatus = last instanceof SendAttemptResult.RetryableResult refused ? refused.status() : 0;
    }

    public int attempts() {
        return attempts;
    }

    /** Status of the last attempt; empty if it got no response. */
    public OptionalInt lastStatus() {
        return lastStatus == 0 ? OptionalInt.empty() : OptionalInt.of(lastStatus);
    }
}
