package dev.refrain.verify;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the API says of itself.
 *
 * @param status of a first answer; any 2xx if it is not said
 * @param keyOptional whether a request without a key is taken
 * @param unquotedKeys whether keys are sent without quotes
 * @param retention for how long a key is remembered
 */
public record ApiExpectations(
        VerifyProfile profile,
        OptionalInt status,
        boolean keyOptional,
        boolean unquotedKeys,
        Optional<Duration> retention) {

    public static ApiExpectations of(VerifyProfile profile) {
        return new ApiExpectations(
                profile, OptionalInt.empty(), !profile.keyRequired(), !profile.structuredKeys(), Optional.empty());
    }

    public ApiExpectations status(int expected) {
        return new ApiExpectations(profile, OptionalInt.of(expected), keyOptional, unquotedKeys, retention);
    }

    public ApiExpectations withOptionalKey() {
        return new ApiExpectations(profile, status, true, unquotedKeys, retention);
    }

    public ApiExpectations withBareKeys() {
        return new ApiExpectations(profile, status, keyOptional, true, retention);
    }

    public ApiExpectations withRetention(Duration time) {
        return new ApiExpectations(profile, status, keyOptional, unquotedKeys, Optional.of(time));
    }

    boolean isFirstAnswer(int answered) {
        return status.isPresent() ? status.getAsInt() == answered : answered >= 200 && answered < 300;
    }

    String firstAnswer() {
        return status.isPresent() ? Integer.toString(status.getAsInt()) : "2xx";
    }
}
