package dev.refrain.http.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** How one attempt ended. */
sealed interface SendAttemptResult {

    /** With the last word. */
    record FinalResult(ReceivedResponse received) implements SendAttemptResult {}

    /** With an answer that is none yet: the request was not done, or is still being worked on. */
    record RetryableResult(int status, Optional<Duration> retryAfter) implements SendAttemptResult {}

    /** Without a whole answer: it may have taken effect, or never have arrived. */
    record FailedResult(IOException why) implements SendAttemptResult {}
}
