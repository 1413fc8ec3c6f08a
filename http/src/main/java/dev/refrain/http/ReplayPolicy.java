package dev.refrain.http;

import dev.refrain.api.Retention;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is kept of an answer, and for how long.
 *
 * @param retryWindow for how long clients may retry: a retention that is shorter is refused
 * @param maxBytes an answer larger than this is not kept, only that it was given
 * @param hiddenHeaders headers that are not kept, in any case, beside those that never are
 */
public record ReplayPolicy(
        Retention retention,
        Duration retryWindow,
        OutcomeProfile profile,
        boolean stateOnly,
        int maxBytes,
        Set<String> hiddenHeaders) {

    public static final int MAX_BYTES = 1 << 20;

    public static final ReplayPolicy DEFAULT = new ReplayPolicy(
            Retention.of(Duration.ofHours(24)), Duration.ZERO, OutcomeProfile.DEFAULT, false, MAX_BYTES, Set.of());

    public ReplayPolicy {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("keep.max-bytes must not be negative, but is " + maxBytes + ".");
        }
        var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(hiddenHeaders);
        hiddenHeaders = names;
    }

    public ReplayPolicy with(Retention other) {
        return new ReplayPolicy(other, retryWindow, profile, stateOnly, maxBytes, hiddenHeaders);
    }

    public ReplayPolicy withRetryWindow(Duration window) {
        return new ReplayPolicy(retention, window, profile, stateOnly, maxBytes, hiddenHeaders);
    }

    public ReplayPolicy with(OutcomeProfile other) {
        return new ReplayPolicy(retention, retryWindow, other, stateOnly, maxBytes, hiddenHeaders);
    }

    public ReplayPolicy withStateOnly() {
        return new ReplayPolicy(retention, retryWindow, profile, true, maxBytes, hiddenHeaders);
    }

    public ReplayPolicy withMaxBytes(int bytes) {
        return new ReplayPolicy(retention, retryWindow, profile, stateOnly, bytes, hiddenHeaders);
    }

    public ReplayPolicy withHiddenHeaders(Set<String> headers) {
        return new ReplayPolicy(retention, retryWindow, profile, stateOnly, maxBytes, headers);
    }
}
