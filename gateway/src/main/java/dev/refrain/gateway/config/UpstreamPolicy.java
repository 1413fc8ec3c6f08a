package dev.refrain.gateway.config;

import java.time.Duration;
import java.util.Set;

/**
 * What is known of the service behind a route: it is another failure domain, and what it did cannot be seen from here.
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

    /** 408, 425 and 429 say by their definition that the request was not worked on. */
    public static final UpstreamPolicy DEFAULT = new UpstreamPolicy(
            ForwardedKey.DERIVED,
            new UnansweredPolicy.Hold(),
            ServerErrorMeaning.UNKNOWN,
            Set.of(408, 425, 429),
            Duration.ofSeconds(30));

    public UpstreamPolicy {
        noEffectStatuses = Set.copyOf(noEffectStatuses);
    }

    /** Who is only observed is answered like who is not protected: sent once, told what came, and waited for as long. */
    public UpstreamPolicy forObserveMode(Duration idle) {
        return new UpstreamPolicy(key, new UnansweredPolicy.Hold(), ServerErrorMeaning.ANSWER, noEffectStatuses, idle);
    }

    /** Which key the service behind is told. */
    public enum ForwardedKey {
        /** One made from the record: the same for every attempt, and new once the record has expired. */
        DERIVED,
        /** The client's own, as it was sent. */
        CLIENT,
        /** None. */
        NONE
    }

    /** What a 5xx means that came after the request was sent. */
    public enum ServerErrorMeaning {
        /** Nobody knows what it did: like no answer at all. */
        UNKNOWN,
        /** An answer like any other: the route's profile says whether it is kept. */
        ANSWER
    }

    /** What is done about a request that was sent and not answered. */
    public sealed interface UnansweredPolicy {

        /** A person finds out; it is never sent twice. */
        record Hold() implements UnansweredPolicy {}

        /** It is sent again under the same key, which the service behind knows for so long. */
        record Resend(Duration honoured) implements UnansweredPolicy {}

        /** The service behind is asked, by a GET of this path with the key in it. */
        record LookUp(LookupPathTemplate path) implements UnansweredPolicy {}
    }
}
