package dev.refrain.http.policy;

import dev.refrain.outcome.Profile;
import dev.refrain.outcome.Retention;
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
public record KeepPolicy(
        Retention retention,
        Duration retryWindow,
        Profile profile,
        boolean stateOnly,
        int maxBytes,
        Set<String> hiddenHeaders) {

    public static final int MAX_BYTES = 1 << 20;

    public static final KeepPolicy DEFAULT = new KeepPolicy(
            Retention.of(Duration.ofHours(24)), Duration.ZERO, Profile.DEFAULT, false, MAX_BYTES, Set.of());

    public KeepPolicy {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("keep.max-bytes must not be negative, but is " + maxBytes + ".");
        }
        var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(hiddenHeaders);
        hiddenHeaders = names;
    }

    public KeepPolicy with(Retention other) {
        return new KeepPolicy(other, retryWindow, profile, stateOnly, maxBytes, hiddenHeaders);
    }

    public KeepPolicy withRetryWindow(Duration window) {
        return new KeepPolicy(retention, window, profile, stateOnly, maxBytes, hiddenHeaders);
    }

    public KeepPolicy with(Profile other) {
        return new KeepPolicy(retention, retryWindow, other, stateOnly, maxBytes, hiddenHeaders);
    }

    public KeepPolicy withStateOnly() {
        return new KeepPolicy(retention, retryWindow, profile, true, maxBytes, hiddenHeaders);
    }

    public KeepPolicy withMaxBytes(int bytes) {
        return new KeepPolicy(retention, retryWindow, profile, stateOnly, bytes, hiddenHeaders);
    }

    public KeepPolicy withHiddenHeaders(Set<String> headers) {
        return new KeepPolicy(retention, retryWindow, profile, stateOnly, maxBytes, headers);
    }
}
