package dev.refrain.http.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Result of one attempt. */
sealed interface SendAttemptResult {

    /** Final response. */
    record FinalResult(ReceivedResponse received) implements SendAttemptResult {}

    /** Retryable response: the request did not run, or is still running. */
    record RetryableResult(int status, Optional<Duration> retryAfter) implements SendAttemptResult {}

    /** No complete response: the request may have taken effect, or never have arrived. */
    record FailedResult(IOException why) implements SendAttemptResult {}
}
