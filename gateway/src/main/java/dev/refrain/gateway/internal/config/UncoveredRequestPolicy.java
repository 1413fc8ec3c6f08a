package dev.refrain.gateway.internal.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What becomes of requests that have a key and that no configured route covers. */
public enum UncoveredRequestPolicy {
    /** POST and PATCH are protected with the settings of all routes; PUT and DELETE pass, which is reported and counted. */
    PROTECT,
    /** They pass unprotected, which is reported and counted. */
    PASS,
    /** Refuses them: a client that sends a key relies on it. */
    REFUSE;

    static @Nullable UncoveredRequestPolicy parse(@Nullable String word) {
        if (word == null) {
            return null;
        }
        for (var policy : values()) {
            if (policy.word().equalsIgnoreCase(word)) {
                return policy;
            }
        }
        throw new GatewayConfigException("gateway.others is '" + word + "', but may be protect, pass or refuse.", null);
    }

    /** Returns what it means, as the gateway prints it when it starts. */
    public String describe() {
        return switch (this) {
            case PROTECT -> "POST and PATCH are protected, PUT and DELETE pass and are counted";
            case PASS -> "they pass unprotected and are counted";
            case REFUSE -> "they are refused";
        };
    }

    /** Returns the word for it in a configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
