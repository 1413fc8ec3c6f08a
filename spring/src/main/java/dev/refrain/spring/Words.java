package dev.refrain.spring;

import dev.refrain.http.policy.InFlightPolicy;
import dev.refrain.http.policy.Requirement;
import dev.refrain.outcome.Profile;
import dev.refrain.outcome.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.convert.DurationStyle;

/** What settings say in words. Every error names the setting and what it may be. */
final class Words {

    private static final List<Profile> PROFILES =
            List.of(Profile.DEFAULT, Profile.STRIPE, Profile.SQUARE, Profile.SUCCESS_ONLY, Profile.ADYEN);

    private Words() {}

    static Requirement requirement(String setting, String word) {
        for (var requirement : Requirement.values()) {
            if (requirement.toString().equalsIgnoreCase(word)) {
                return requirement;
            }
        }
        throw wrong(setting, word, "required, optional, mint or observe");
    }

    static Profile profile(String setting, String word) {
        for (var profile : PROFILES) {
            if (profile.name().equalsIgnoreCase(word)) {
                return profile;
            }
        }
        throw wrong(setting, word, "default, stripe, square, success-only or adyen");
    }

    static Retention retention(String setting, String word) {
        return word.equalsIgnoreCase("for-ever")
                ? Retention.FOR_EVER
                : Retention.of(duration(setting, word, "a time such as 24h or 7d, or for-ever"));
    }

    static InFlightPolicy inFlight(String setting, String word) {
        String lower = word.strip().toLowerCase(Locale.ROOT);
        if (lower.equals("reject")) {
            return new InFlightPolicy.Reject();
        }
        if (lower.equals("async")) {
            return new InFlightPolicy.Async();
        }
        if (lower.equals("wait")) {
            return new InFlightPolicy.Wait(InFlightPolicy.WAIT);
        }
        String may = "reject, wait, wait with a time such as wait 5s, or async";
        if (lower.startsWith("wait ")) {
            return new InFlightPolicy.Wait(duration(setting, lower.substring(5).strip(), may));
        }
        throw wrong(setting, word, may);
    }

    private static Duration duration(String setting, String word, String may) {
        try {
            return DurationStyle.detectAndParse(word);
        } catch (IllegalArgumentException e) {
            throw wrong(setting, word, may);
        }
    }

    private static IllegalArgumentException wrong(String setting, String word, String may) {
        return new IllegalArgumentException(setting + " is '" + word + "', but may be " + may + ".");
    }
}
