package dev.refrain.cli;

import dev.refrain.verify.ApiExpectations;
import dev.refrain.verify.EffectCountSource;
import dev.refrain.verify.VerifyProfile;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code refrain verify} about the expected behavior of the API, and how to count its effects. */
final class VerifyExpectationOptions {

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "default",
            description =
                    "Expected conventions: default, draft, stripe, square or adyen (default: ${DEFAULT-VALUE}). Sets the "
                            + "statuses of mismatch and conflict, the key syntax and which errors are kept.")
    private String profile;

    @Option(
            names = "--expect-status",
            paramLabel = "STATUS",
            description = "Expected status of a first request (default: any 2xx).")
    private @Nullable Integer expectStatus;

    @Option(names = "--optional-key", description = "The API accepts requests without a key.")
    private boolean optionalKey;

    @Option(
            names = "--bare-keys",
            description = "Send keys without quotes, as the profiles stripe, square and adyen do.")
    private boolean bareKeys;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the API keeps keys. Expiry is tested if this is 5m or less.")
    private @Nullable Duration retention;

    @Option(
            names = "--effects",
            paramLabel = "'GET /PATH#/POINTER'",
            description =
                    "Resource that counts the effects: after # a JSON pointer to a number, or to a list whose elements "
                            + "are counted. Without it, responses are compared.")
    private @Nullable String effects;

    @Option(
            names = "--id",
            paramLabel = "/POINTER",
            description =
                    "JSON pointer to the id of the created resource in a response. Without it, whole bodies are compared.")
    private @Nullable String id;

    ApiExpectations expectations() {
        var expectations = ApiExpectations.of(VerifyProfile.named(profile));
        if (expectStatus != null) {
            expectations = expectations.status(expectStatus);
        }
        if (optionalKey) {
            expectations = expectations.withOptionalKey();
        }
        if (bareKeys) {
            expectations = expectations.withBareKeys();
        }
        return retention == null ? expectations : expectations.withRetention(retention);
    }

    EffectCountSource effectCountSource() {
        var effectCountSource = id == null ? EffectCountSource.BY_ANSWERS : EffectCountSource.BY_ANSWERS.withIdAt(id);
        return effects == null
                ? effectCountSource
                : effectCountSource.withCounter(EffectCountSource.CountResource.parse(effects));
    }
}
