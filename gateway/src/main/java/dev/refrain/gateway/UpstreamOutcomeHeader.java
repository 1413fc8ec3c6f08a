package dev.refrain.gateway;

import dev.refrain.api.Claim;
import java.util.Locale;

/**
 * Header by which the upstream steers what becomes of its response, and which clients never see: {@code do-not-keep}, {@code state-only} or
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

    /** Marks the claim as without effect: a retry runs again. */
    static void nothingHappened(Claim claim) {
        claim.declareNoEffect();
        claim.doNotKeepAnswer();
    }
}
