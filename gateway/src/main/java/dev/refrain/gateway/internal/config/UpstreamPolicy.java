package dev.refrain.gateway.internal.config;

import dev.refrain.http.KeyRequirement;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.contract.PublishedOutcomes;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

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

    /** Status that is never kept: a client with a fresh token must not get the refusal of the old one. */
    static final int UNAUTHENTICATED = 401;

    /** Defaults. By their definition 401, 408, 425 and 429 mean that the request was not processed. */
    public static final UpstreamPolicy DEFAULT = new UpstreamPolicy(
            ForwardedKey.DERIVED,
            new UnansweredPolicy.Hold(),
            ServerErrorMeaning.UNKNOWN,
            Set.of(UNAUTHENTICATED, 408, 425, 429),
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

    /** Returns what a route stores of the upstream's answers, and what becomes of a request that failed there, as it is published. */
    public PublishedOutcomes outcomes(RoutePolicy policy) {
        var stored = PublishedOutcomes.of(policy);
        if (policy.key().requirement() == KeyRequirement.OBSERVE) {
            return stored;
        }
        String notKept = noEffectStatuses.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
        return new PublishedOutcomes(
                stored.kept() + " but " + notKept + " (a retry runs)",
                (serverErrors == ServerErrorMeaning.UNKNOWN ? "5xx or no answer: " : "no answer: ")
                        + switch (onUnanswered) {
                            case UnansweredPolicy.Hold hold -> "outcome-unknown, a retry is never sent";
                            case UnansweredPolicy.Resend resend -> "sent again under the same key";
                            case UnansweredPolicy.LookUp lookUp -> "looked up";
                        });
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
