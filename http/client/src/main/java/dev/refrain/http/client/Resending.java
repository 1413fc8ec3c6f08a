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
record Resending(
        RetryRules rules,
        Backoff backoff,
        Duration attemptTimeout,
        Duration deadline,
        Time time,
        RandomGenerator random) {

    Answer send(Intent intent, Sender sender) throws IOException, InterruptedException {
        long end = time.nanos() + deadline.toNanos();
        for (int attempts = 1; ; attempts++) {
            var tried = tryOnce(intent, sender, timeFor(intent, end));
            if (tried instanceof Tried.Answered answered) {
                return new Answer(intent.key(), attempts, answered.received());
            }
            var asked = tried instanceof Tried.Refused refused ? refused.retryAfter() : Optional.<Duration>empty();
            var pause = backoff.delay(attempts, asked, random);
            if (pause.compareTo(left(end)) >= 0) {
                throw new UnansweredException(intent, attempts, tried);
            }
            if (pause.compareTo(left(intent)) >= 0) {
                throw new RetentionOverException(intent);
            }
            time.sleep(pause);
        }
    }

    /** The one attempt for an intent that must not be sent again. Whatever is answered is the answer. */
    Answer sendOnce(Intent intent, Sender sender) throws IOException, InterruptedException {
        try {
            return new Answer(intent.key(), 1, sender.send(intent, shorter(attemptTimeout, deadline)));
        } catch (FileNotFoundException noBody) {
            throw noBody;
        } catch (IOException unknown) {
            throw new RetentionOverException(intent, unknown);
        }
    }

    private Tried tryOnce(Intent intent, Sender sender, Duration atMost) throws IOException, InterruptedException {
        try {
            return rules.judge(sender.send(intent, atMost), time.now());
        } catch (FileNotFoundException noBody) {
            throw noBody;
        } catch (IOException unknown) {
            return new Tried.Failed(unknown);
        }
    }

    private Duration timeFor(Intent intent, long end) throws RetentionOverException {
        var left = left(intent);
        if (!left.isPositive()) {
            throw new RetentionOverException(intent);
        }
        return shorter(attemptTimeout, shorter(left(end), left));
    }

    private Duration left(long end) {
        return Duration.ofNanos(end - time.nanos());
    }

    private Duration left(Intent intent) {
        return Duration.between(time.now(), intent.retryUntil());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
