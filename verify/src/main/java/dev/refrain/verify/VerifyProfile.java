package dev.refrain.verify;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Conventions that APIs differ in: statuses, key syntax and error format. */
public enum VerifyProfile {
    /** Behavior of Refrain by default: the draft standard, and what users expect beyond it. */
    DEFAULT(422, FormatStyle.STANDARD),
    /** The draft standard only. */
    DRAFT(422, FormatStyle.STANDARD),
    STRIPE(400, FormatStyle.OWN),
    SQUARE(409, FormatStyle.OWN),
    ADYEN(422, FormatStyle.OWN);

    /** Format of keys and errors. */
    private enum FormatStyle {
        STANDARD,
        OWN
    }

    private final int mismatch;
    private final FormatStyle formatStyle;

    VerifyProfile(int mismatch, FormatStyle formatStyle) {
        this.mismatch = mismatch;
        this.formatStyle = formatStyle;
    }

    public static VerifyProfile named(String name) {
        return Arrays.stream(values())
                .filter(profile -> profile.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidVerifySettingsException("Unknown profile '" + name
                        + "'. Available: "
                        + Arrays.stream(values()).map(VerifyProfile::toString).collect(Collectors.joining(", "))
                        + "."));
    }

    /** Status of a different request under a used key. */
    int mismatch() {
        return mismatch;
    }

    /** Statuses of the same request while the first one is still running. */
    Set<Integer> inFlight() {
        return this == ADYEN ? Set.of(409, 422) : Set.of(409);
    }

    /** Returns whether the key is a structured string, so that anything else is malformed. */
    boolean structuredKeys() {
        return formatStyle == FormatStyle.STANDARD;
    }

    /** Returns whether errors are RFC 9457 problem details. */
    boolean problems() {
        return formatStyle == FormatStyle.STANDARD;
    }

    /** Returns whether requests must have a key. */
    boolean keyRequired() {
        return formatStyle == FormatStyle.STANDARD;
    }

    /** Returns whether a conflict must have {@code Retry-After}. */
    boolean saysWhenToRetry() {
        return this == DEFAULT;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
