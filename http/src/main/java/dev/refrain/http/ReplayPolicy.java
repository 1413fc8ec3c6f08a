package dev.refrain.http;

import dev.refrain.api.Retention;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/**
 * Settings for storing and replaying responses: retention, profile, size limit, headers. Immutable.
 *
 * @param clientRetryWindow how long clients may retry; a shorter retention is rejected
 * @param keepStateOnly store only that the request is done, not its response
 * @param maxOutcomeBytes the largest response that is stored; for a larger one only the fact that it is done is stored
 * @param hiddenHeaders further headers that are not stored; names are case-insensitive
 */
public record ReplayPolicy(
        Retention retention,
        Duration clientRetryWindow,
        OutcomeProfile profile,
        boolean keepStateOnly,
        int maxOutcomeBytes,
        Set<String> hiddenHeaders) {

    public static final int MAX_OUTCOME_BYTES = 1 << 20;

    public static final ReplayPolicy DEFAULT = new ReplayPolicy(
            Retention.of(Duration.ofHours(24)),
            Duration.ZERO,
            OutcomeProfile.DEFAULT,
            false,
            MAX_OUTCOME_BYTES,
            Set.of());

    public ReplayPolicy {
        if (maxOutcomeBytes < 0) {
            throw new IllegalArgumentException(
                    "max-outcome-bytes must not be negative, but is " + maxOutcomeBytes + ".");
        }
        var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(hiddenHeaders);
        hiddenHeaders = names;
    }

    public ReplayPolicy with(Retention other) {
        return new ReplayPolicy(other, clientRetryWindow, profile, keepStateOnly, maxOutcomeBytes, hiddenHeaders);
    }

    public ReplayPolicy withClientRetryWindow(Duration window) {
        return new ReplayPolicy(retention, window, profile, keepStateOnly, maxOutcomeBytes, hiddenHeaders);
    }

    public ReplayPolicy with(OutcomeProfile other) {
        return new ReplayPolicy(retention, clientRetryWindow, other, keepStateOnly, maxOutcomeBytes, hiddenHeaders);
    }

    public ReplayPolicy withKeepStateOnly() {
        return new ReplayPolicy(retention, clientRetryWindow, profile, true, maxOutcomeBytes, hiddenHeaders);
    }

    public ReplayPolicy withMaxOutcomeBytes(int bytes) {
        return new ReplayPolicy(retention, clientRetryWindow, profile, keepStateOnly, bytes, hiddenHeaders);
    }

    public ReplayPolicy withHiddenHeaders(Set<String> headers) {
        return new ReplayPolicy(retention, clientRetryWindow, profile, keepStateOnly, maxOutcomeBytes, headers);
    }
}
