package dev.refrain.http.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Sends a request until it gets a final response, the deadline passes or its key may expire. No attempt may outlast
 * either, so that none is in flight when the server forgets the key. Thread-safe.
 */
record ClientRetryLoop(
        ClientRetryRules rules,
        ClientRetryBackoff backoff,
        Duration attemptTimeout,
        Duration deadline,
        ClientClock time,
        RandomGenerator random) {

    FinalResponse send(PendingRequest intent, PendingRequestSender sender) throws IOException, InterruptedException {
        long end = time.nanos() + deadline.toNanos();
        for (int attempts = 1; ; attempts++) {
            var result = attempt(intent, sender, timeoutFor(intent, end));
            if (result instanceof SendAttemptResult.FinalResult finalResult) {
                return new FinalResponse(intent.key(), attempts, finalResult.received());
            }
            var retryAfter = result instanceof SendAttemptResult.RetryableResult refused
                    ? refused.retryAfter()
                    : Optional.<Duration>empty();
            var pause = backoff.delay(attempts, retryAfter, random);
            if (pause.compareTo(remaining(end)) >= 0) {
                throw new RetryDeadlineExceededException(intent, attempts, result);
            }
            if (pause.compareTo(remaining(intent)) >= 0) {
                throw new RetentionExpiredException(intent);
            }
            time.sleep(pause);
        }
    }

    /** Sends a request that must not be retried, exactly once. Any response is final. */
    FinalResponse sendOnce(PendingRequest intent, PendingRequestSender sender)
            throws IOException, InterruptedException {
        try {
            return new FinalResponse(intent.key(), 1, sender.send(intent, min(attemptTimeout, deadline)));
        } catch (FileNotFoundException noBody) {
            throw noBody;
        } catch (IOException unknown) {
            throw new RetentionExpiredException(intent, unknown);
        }
    }

    private SendAttemptResult attempt(PendingRequest intent, PendingRequestSender sender, Duration timeout)
            throws IOException, InterruptedException {
        try {
            return rules.classify(sender.send(intent, timeout), time.now());
        } catch (FileNotFoundException noBody) {
            throw noBody;
        } catch (IOException unknown) {
            return new SendAttemptResult.FailedResult(unknown);
        }
    }

    private Duration timeoutFor(PendingRequest intent, long end) throws RetentionExpiredException {
        var remaining = remaining(intent);
        if (!remaining.isPositive()) {
            throw new RetentionExpiredException(intent);
        }
        return min(attemptTimeout, min(remaining(end), remaining));
    }

    private Duration remaining(long end) {
        return Duration.ofNanos(end - time.nanos());
    }

    private Duration remaining(PendingRequest intent) {
        return Duration.between(time.now(), intent.retryUntil());
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
