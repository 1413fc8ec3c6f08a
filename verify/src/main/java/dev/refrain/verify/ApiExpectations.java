package dev.refrain.verify;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Behavior that the API under test is expected to show. Immutable.
 *
 * @param status the status of a first response; any 2xx if empty
 * @param keyOptional whether a request without a key is accepted
 * @param unquotedKeys whether keys are sent without quotes
 * @param retention how long the API keeps a key
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

    boolean isFirstAnswer(int actual) {
        return status.isPresent() ? status.getAsInt() == actual : actual >= 200 && actual < 300;
    }

    String firstAnswer() {
        return status.isPresent() ? Integer.toString(status.getAsInt()) : "2xx";
    }
}
