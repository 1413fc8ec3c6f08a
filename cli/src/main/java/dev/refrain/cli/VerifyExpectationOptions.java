package dev.refrain.cli;

import dev.refrain.verify.ApiExpectations;
import dev.refrain.verify.EffectCountSource;
import dev.refrain.verify.VerifyProfile;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code refrain verify} is told of the API's habits, and of how its effects can be seen. */
final class VerifyExpectationOptions {

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "default",
            description =
                    "Whose habits it follows: default, draft, stripe, square, adyen (${DEFAULT-VALUE}). Decides the status of a mismatch and of a conflict, how keys are written and which errors are right.")
    private String profile;

    @Option(
            names = "--expect-status",
            paramLabel = "STATUS",
            description = "What a first request is answered; without it any 2xx.")
    private @Nullable Integer expectStatus;

    @Option(names = "--optional-key", description = "A request without a key is taken.")
    private boolean optionalKey;

    @Option(names = "--bare-keys", description = "Send keys without quotes, as profiles stripe, square and adyen do.")
    private boolean bareKeys;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "For how long keys are remembered: waited for if it is 5m or less.")
    private @Nullable Duration retention;

    @Option(
            names = "--effects",
            paramLabel = "'GET /PATH#/POINTER'",
            description =
                    "Where the API says how much there is: behind # a JSON pointer to a number, or to a list that is counted. Otherwise answers are compared.")
    private @Nullable String effects;

    @Option(
            names = "--id",
            paramLabel = "/POINTER",
            description = "Where in an answer the id of what was made stands; otherwise all its bytes are compared.")
    private @Nullable String id;

    ApiExpectations promise() {
        var promise = ApiExpectations.of(VerifyProfile.named(profile));
        if (expectStatus != null) {
            promise = promise.status(expectStatus);
        }
        if (optionalKey) {
            promise = promise.withOptionalKey();
        }
        if (bareKeys) {
            promise = promise.withBareKeys();
        }
        return retention == null ? promise : promise.withRetention(retention);
    }

    EffectCountSource sight() {
        var sight = id == null ? EffectCountSource.BY_ANSWERS : EffectCountSource.BY_ANSWERS.withIdAt(id);
        return effects == null ? sight : sight.withCounter(EffectCountSource.CountResource.parse(effects));
    }
}
