package dev.refrain.gateway;

import dev.refrain.api.Claim;
import java.util.Locale;

/**
 * What the service behind says about its own answer, by a header that clients never see: {@code do-not-keep}, {@code state-only} or
 * {@code nothing-happened}.
 */
final class UpstreamOutcomeHeader {

    static final String HEADER = "Refrain-Outcome";

    private UpstreamOutcomeHeader() {}

    static void apply(String said, Claim claim) {
        switch (said.strip().toLowerCase(Locale.ROOT)) {
            case "do-not-keep" -> claim.doNotKeepAnswer();
            case "state-only" -> claim.keepStateOnly("The service behind asks for it.");
            case "nothing-happened" -> nothingHappened(claim);
            default -> {
                // Said by a later version, or by something else: the answer is kept as if it said nothing.
            }
        }
    }

    /** Whatever is kept otherwise, a retry runs. */
    static void nothingHappened(Claim claim) {
        claim.declareNoEffect();
        claim.doNotKeepAnswer();
    }
}
