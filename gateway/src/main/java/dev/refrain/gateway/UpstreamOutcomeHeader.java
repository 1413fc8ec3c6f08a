package dev.refrain.gateway;

import dev.refrain.api.Claim;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainEvent.ObservedFinding;
import dev.refrain.observe.RefrainListener;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Header by which the upstream steers what becomes of its response, and which clients never see. A value that is none of {@link
 * SteeredOutcome} says nothing: the response counts like one without the header, so that nothing runs twice because of it. It is logged
 * once for each route, and counted always. Thread-safe.
 */
final class UpstreamOutcomeHeader {

    static final String HEADER = "Refrain-Outcome";

    private static final System.Logger LOG = System.getLogger(UpstreamOutcomeHeader.class.getName());
    private static final int SHOWN = 40;

    /** Wish of the upstream for its response. */
    enum SteeredOutcome {
        DO_NOT_KEEP,
        STATE_ONLY,
        NOTHING_HAPPENED;

        void apply(Claim claim) {
            switch (this) {
                case DO_NOT_KEEP -> claim.doNotKeepAnswer();
                case STATE_ONLY -> claim.keepStateOnly("The service behind asks for it.");
                case NOTHING_HAPPENED -> nothingHappened(claim);
            }
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final RefrainListener listener;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    UpstreamOutcomeHeader(RefrainListener listener) {
        this.listener = listener;
    }

    /** Returns the upstream's wish; empty if its response says none, or one that is not known and is reported here. */
    Optional<SteeredOutcome> read(String route, Optional<String> value) {
        var said = value.flatMap(UpstreamOutcomeHeader::parse);
        if (value.isPresent() && said.isEmpty()) {
            reportUnknown(route, value.get());
        }
        return said;
    }

    private static Optional<SteeredOutcome> parse(String value) {
        String word = value.strip().toLowerCase(Locale.ROOT);
        for (var known : SteeredOutcome.values()) {
            if (known.toString().equals(word)) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    private void reportUnknown(String route, String value) {
        listener.onEvent(new RefrainEvent.ObservedOnly(route, ObservedFinding.OUTCOME_HEADER_UNKNOWN));
        if (logged.add(route)) {
            String shown = value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "…";
            LOG.log(
                    System.Logger.Level.WARNING,
                    route + ": the service answered with " + HEADER + ": "
                            + shown.replaceAll("[^\\x20-\\x7e…]", "?")
                            + ", which is none of do-not-keep, state-only and nothing-happened. The answer counts like one without this header. Correct the service, or update the gateway. Further ones of this route are only counted.");
        }
    }

    /** Marks the claim as without effect: a retry runs again. */
    static void nothingHappened(Claim claim) {
        claim.declareNoEffect();
        claim.doNotKeepAnswer();
    }
}
