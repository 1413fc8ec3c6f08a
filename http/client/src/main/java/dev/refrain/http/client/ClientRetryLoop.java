package dev.refrain.http.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Sends an intent until it is answered, its deadline comes or its key runs out. Thread-safe. No attempt may take longer than
 * what is left of either, so that none is still under way when the server has forgotten the key.
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
            var tried = tryOnce(intent, sender, timeFor(intent, end));
            if (tried instanceof SendAttemptResult.FinalResult answered) {
                return new FinalResponse(intent.key(), attempts, answered.received());
            }
            var asked = tried instanceof SendAttemptResult.RetryableResult refused
                    ? refused.retryAfter()
                    : Optional.<Duration>empty();
            var pause = backoff.delay(attempts, asked, random);
            if (pause.compareTo(left(end)) >= 0) {
                throw new RetryDeadlineExceededException(intent, attempts, tried);
            }
            if (pause.compareTo(left(intent)) >= 0) {
                throw new RetentionExpiredException(intent);
            }
            time.sleep(pause);
        }
    }

    /** The one attempt for an intent that must not be sent again. Whatever is answered is the answer. */
    FinalResponse sendOnce(PendingRequest intent, PendingRequestSender sender)
            throws IOException, InterruptedException {
        try {
            return new FinalResponse(intent.key(), 1, sender.send(intent, shorter(attemptTimeout, deadline)));
        } catch (FileNotFoundException noBody) {
            throw noBody;
        } catch (IOException unknown) {
            throw new RetentionExpiredException(intent, unknown);
        }
    }

    private SendAttemptResult tryOnce(PendingRequest intent, PendingRequestSender sender, Duration atMost)
            throws IOException, InterruptedException {
        try {
            return rules.judge(sender.send(intent, atMost), time.now());
        } catch (FileNotFoundException noBody) {
            throw noBody;
        } catch (IOException unknown) {
            return new SendAttemptResult.FailedResult(unknown);
        }
    }

    private Duration timeFor(PendingRequest intent, long end) throws RetentionExpiredException {
        var left = left(intent);
        if (!left.isPositive()) {
            throw new RetentionExpiredException(intent);
        }
        return shorter(attemptTimeout, shorter(left(end), left));
    }

    private Duration left(long end) {
        return Duration.ofNanos(end - time.nanos());
    }

    private Duration left(PendingRequest intent) {
        return Duration.between(time.now(), intent.retryUntil());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
