package dev.refrain.http.settings;

import dev.refrain.KeyRules;
import dev.refrain.RequestFingerprinter;
import dev.refrain.http.HandlerRunPolicy;
import dev.refrain.http.KeyPolicy;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.ReplayPolicy;
import dev.refrain.http.RequestBodyPolicy;
import dev.refrain.http.RoutePolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration says of one route. What it leaves out, which is null here, stays as it is without it.
 *
 * @param match the route, such as {@code POST /payments/{id}/capture}
 * @param operation its name in metrics, traces and messages
 * @param mode {@code transactional}, {@code leased-resume} or {@code leased-hold}
 * @param key {@code required}, {@code optional}, {@code mint} or {@code observe}
 * @param headers where the key may stand, in order of preference; {@code body:name} for a field of the body
 * @param strict take only a structured string, with its quotes
 * @param minKeyBytes the shortest key
 * @param maxKeyBytes the longest key
 * @param keyPattern what the whole key has to match
 * @param profile which answers are kept: {@code default}, {@code stripe}, {@code square}, {@code success-only} or {@code adyen}
 * @param retention how long answers are kept, such as {@code 24h}; or {@code for-ever}
 * @param retryWindow for how long clients retry: a retention that is shorter is refused
 * @param stateOnly keep that it was done and not what was answered
 * @param inFlight {@code reject}, {@code wait}, {@code wait 5s} or {@code async}
 * @param maxRequest the largest request body
 * @param maxAnswer the largest answer that is kept
 * @param markReplays whether a replay says so
 * @param hiddenHeaders headers that are not kept
 * @param ignoring fields of the body that may differ in a retry, as JSON pointers
 * @param lease how long a claim holds unrenewed
 * @param maxRun how long a handler may run
 * @param patience how long a claim may wait for the store
 * @param failOpen run UNPROTECTED if the store cannot be asked
 */
public record RouteSettings(
        @Nullable String match,
        @Nullable String operation,
        @Nullable String mode,
        @Nullable String key,
        @Nullable List<String> headers,
        @Nullable Boolean strict,
        @Nullable Integer minKeyBytes,
        @Nullable Integer maxKeyBytes,
        @Nullable String keyPattern,
        @Nullable String profile,
        @Nullable String retention,
        @Nullable String retryWindow,
        @Nullable Boolean stateOnly,
        @Nullable String inFlight,
        @Nullable String maxRequest,
        @Nullable String maxAnswer,
        @Nullable Boolean markReplays,
        @Nullable Set<String> hiddenHeaders,
        @Nullable List<String> ignoring,
        @Nullable String lease,
        @Nullable String maxRun,
        @Nullable String patience,
        @Nullable Boolean failOpen) {

    /**
     * These settings over what holds without them.
     *
     * @param path where they stand, for messages
     * @throws IllegalArgumentException if one is not what it may be, or does not go with another
     */
    public RoutePolicy applyTo(RoutePolicy base, String path) {
        var at = new SettingPath(path);
        return at.checked(() -> new RoutePolicy(
                key(base.key(), at),
                run(base.run(), at),
                keep(base.replay(), at),
                request(base.request(), at),
                or(markReplays, base.marksReplays())));
    }

    private KeyPolicy key(KeyPolicy base, SettingPath at) {
        var rules = base.rules();
        return new KeyPolicy(
                at.read("key", key, SettingParser::requirement, base.requirement()),
                at.read(
                        "headers",
                        headers,
                        (path, names) -> names.stream().map(KeySource::parse).toList(),
                        base.sources()),
                strict == null ? base.syntax() : strict ? KeySyntax.STRICT : KeySyntax.LENIENT,
                new KeyRules(
                        or(minKeyBytes, rules.minBytes()),
                        or(maxKeyBytes, rules.maxBytes()),
                        at.read(
                                "key-pattern",
                                keyPattern,
                                (path, shape) -> Optional.of(Pattern.compile(shape)),
                                rules.pattern())));
    }

    private HandlerRunPolicy run(HandlerRunPolicy base, SettingPath at) {
        return new HandlerRunPolicy(
                at.read("mode", mode, SettingParser::mode, base.mode()),
                at.read("in-flight", inFlight, SettingParser::inFlight, base.inFlight()),
                at.read("lease", lease, SettingParser::duration, base.lease()),
                at.read("max-run", maxRun, SettingParser::duration, base.maxRun()),
                at.read("patience", patience, SettingParser::duration, base.withPatience()),
                or(failOpen, base.failOpen()));
    }

    private ReplayPolicy keep(ReplayPolicy base, SettingPath at) {
        return new ReplayPolicy(
                at.read("retention", retention, SettingParser::retention, base.retention()),
                at.read("retry-window", retryWindow, SettingParser::duration, base.retryWindow()),
                at.read("profile", profile, SettingParser::profile, base.profile()),
                or(stateOnly, base.stateOnly()),
                at.read("max-answer", maxAnswer, SettingParser::size, base.maxBytes()),
                or(hiddenHeaders, base.hiddenHeaders()));
    }

    private RequestBodyPolicy request(RequestBodyPolicy base, SettingPath at) {
        return new RequestBodyPolicy(
                at.read("max-request", maxRequest, SettingParser::size, base.maxBytes()),
                at.read("ignoring", ignoring, (path, fields) -> without(fields), base.fingerprint()));
    }

    private static RequestFingerprinter without(List<String> fields) {
        return RequestFingerprinter.builder()
                .exclude(fields.toArray(String[]::new))
                .build();
    }

    private static <T> T or(@Nullable T said, T otherwise) {
        return said == null ? otherwise : said;
    }

    /** Where settings stand. What is refused there names it. */
    private record SettingPath(String path) {

        <S, T> T read(String name, @Nullable S said, BiFunction<String, S, T> meaning, T otherwise) {
            return said == null
                    ? otherwise
                    : new SettingPath(path + "." + name).checked(() -> meaning.apply(path + "." + name, said));
        }

        <T> T checked(Supplier<T> made) {
            try {
                return made.get();
            } catch (IllegalArgumentException e) {
                String why = String.valueOf(e.getMessage());
                throw why.startsWith(path) ? e : new IllegalArgumentException(path + ": " + why, e);
            }
        }
    }
}
