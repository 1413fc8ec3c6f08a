package dev.refrain.gateway.config;

import java.time.Duration;
import java.util.Set;

/**
 * Abilities of the upstream behind a route, and what to do when it does not answer. It is another failure domain: its effects cannot be
 * seen from here.
 *
 *
 * @param key under which key requests go there
 * @param onUnanswered what to do about a request that was sent and not answered
 * @param serverErrors what a 5xx means
 * @param noEffectStatuses statuses that are only given to requests that took no effect
 * @param timeout how long a request may wait for a connection, and then, how long its answer may take to begin
 */
public record UpstreamPolicy(
        ForwardedKey key,
        UnansweredPolicy onUnanswered,
        ServerErrorMeaning serverErrors,
        Set<Integer> noEffectStatuses,
        Duration timeout) {

    /** Defaults. By their definition 408, 425 and 429 mean that the request was not processed. */
    public static final UpstreamPolicy DEFAULT = new UpstreamPolicy(
            ForwardedKey.DERIVED,
            new UnansweredPolicy.Hold(),
            ServerErrorMeaning.UNKNOWN,
            Set.of(408, 425, 429),
            Duration.ofSeconds(30));

    public UpstreamPolicy {
        noEffectStatuses = Set.copyOf(noEffectStatuses);
    }

    /**
     * Returns the policy for {@code observe}: each request is sent once, with the idle timeout of unprotected ones, and any response is
     * passed on.
     */
    public UpstreamPolicy forObserveMode(Duration idle) {
        return new UpstreamPolicy(key, new UnansweredPolicy.Hold(), ServerErrorMeaning.ANSWER, noEffectStatuses, idle);
    }

    /** Key that is sent to the upstream. */
    public enum ForwardedKey {
        /** Key derived from the record: the same for every attempt, new after the record has expired. */
        DERIVED,
        /** Key of the client, unchanged. */
        CLIENT,
        /** No key. */
        NONE
    }

    /** Meaning of a 5xx that came after the request was sent. */
    public enum ServerErrorMeaning {
        /** Unknown outcome, like a missing response. */
        UNKNOWN,
        /** Response like any other: the route's profile decides whether it is kept. */
        ANSWER
    }

    /** Reaction to a request that was sent and not answered. */
    public sealed interface UnansweredPolicy {

        /** Goes to attention and is never sent again. */
        record Hold() implements UnansweredPolicy {}

        /** Is sent again under the same key, which the upstream remembers for this long. */
        record Resend(Duration honoured) implements UnansweredPolicy {}

        /** Is looked up by a GET of this path with the key in it. */
        record LookUp(LookupPathTemplate path) implements UnansweredPolicy {}
    }
}
