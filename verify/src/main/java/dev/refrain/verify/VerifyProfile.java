package dev.refrain.verify;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Whose habits an API follows where they differ: which status means what, and how keys and errors are written. */
public enum VerifyProfile {
    /** What Refrain does unless told otherwise: the draft, and what users expect beyond it. */
    DEFAULT(422, FormatStyle.STANDARD),
    /** The draft standard and no more. */
    DRAFT(422, FormatStyle.STANDARD),
    STRIPE(400, FormatStyle.OWN),
    SQUARE(409, FormatStyle.OWN),
    ADYEN(422, FormatStyle.OWN);

    /** How keys and errors are written. */
    private enum FormatStyle {
        STANDARD,
        OWN
    }

    private final int mismatch;
    private final FormatStyle habit;

    VerifyProfile(int mismatch, FormatStyle habit) {
        this.mismatch = mismatch;
        this.habit = habit;
    }

    public static VerifyProfile named(String name) {
        return Arrays.stream(values())
                .filter(profile -> profile.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidVerifySettingsException("There is no profile '" + name
                        + "': the profiles are "
                        + Arrays.stream(values()).map(VerifyProfile::toString).collect(Collectors.joining(", "))
                        + "."));
    }

    /** What another request under a used key is answered. */
    int mismatch() {
        return mismatch;
    }

    /** What the same request is answered while the first one runs. */
    Set<Integer> inFlight() {
        return this == ADYEN ? Set.of(409, 422) : Set.of(409);
    }

    /** Whether the header is a structured string, so that anything else is malformed. */
    boolean structuredKeys() {
        return habit == FormatStyle.STANDARD;
    }

    /** Whether errors are RFC 9457 problems. */
    boolean problems() {
        return habit == FormatStyle.STANDARD;
    }

    /** Whether a key must be sent. */
    boolean keyRequired() {
        return habit == FormatStyle.STANDARD;
    }

    /** Whether who is told to come again must be told when. */
    boolean saysWhenToRetry() {
        return this == DEFAULT;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
