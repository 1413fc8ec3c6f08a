package dev.refrain.http.client;

import java.util.OptionalInt;

/**
 * The deadline came before an answer did. Whether the request took effect is unknown. The intent is pending: {@link
 * RefrainClient#resend(PendingRequest)} sends it again under the same key.
 */
public final class RetryDeadlineExceededException extends RefrainClientException {
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final int lastStatus;

    RetryDeadlineExceededException(PendingRequest intent, int attempts, SendAttemptResult last) {
        super(
                intent.key(),
                "no final answer after " + attempts + " attempts; the last one "
                        + (last instanceof SendAttemptResult.RetryableResult refused
                                ? "was answered " + refused.status()
                                : "failed")
                        + ". The intent is pending: resume it, under this key, before " + intent.retryUntil() + ".",
                last instanceof SendAttemptResult.FailedResult failed ? failed.why() : null);
        this.attempts = attempts;
        this.lastStatus = last instanceof SendAttemptResult.RetryableResult refused ? refused.status() : 0;
    }

    public int attempts() {
        return attempts;
    }

    /** Of the last attempt; empty if it had no answer at all. */
    public OptionalInt lastStatus() {
        return lastStatus == 0 ? OptionalInt.empty() : OptionalInt.of(lastStatus);
    }
}
