package dev.refrain.http.internal.settings;

import dev.refrain.KeyRules;
import dev.refrain.http.HandlerRunPolicy;
import dev.refrain.http.KeptRequestPolicy;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.KeyPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.OperationMode;
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
 * Settings of one route as a configuration gives them. A setting that is absent (null) keeps its default. Settings with few values are
 * enums, because editors complete nothing else below the names of routes.
 *
 * @param match the route, such as {@code POST /payments/{id}/capture}
 * @param operation its name in metrics, traces and messages
 * @param store name of the store that holds its keys, where an application has several; the default one if it is absent
 * @param mode {@code transactional}, {@code leased-resume}, {@code leased-hold} or {@code flow}
 * @param keyRequirement {@code required}, {@code optional}, {@code mint} or {@code observe}
 * @param keySources sources of the key, in order of preference; {@code body:name} for a body field
 * @param keySyntax {@code strict} to accept only a structured string with its quotes, or {@code lenient}
 * @param minKeyBytes the shortest key
 * @param maxKeyBytes the longest key
 * @param keyPattern a pattern that the whole key has to match
 * @param profile the rules for stored responses: {@code default}, {@code stripe}, {@code square}, {@code success-only} or {@code
 *     adyen}
 * @param retention how long responses are stored, such as {@code 24h}; or {@code for-ever}
 * @param clientRetryWindow how long clients retry; a shorter retention is rejected
 * @param keepStateOnly store only that the request is done, not its response
 * @param inFlight {@code reject}, {@code wait}, {@code wait 5s} or {@code async}
 * @param maxRequestBytes the largest request body
 * @param maxOutcomeBytes the largest response that is stored
 * @param markReplays whether a replay carries {@code Idempotent-Replayed: true}
 * @param hiddenHeaders headers that are not stored
 * @param ignoredFields body fields that may differ in a retry, as JSON pointers
 * @param lease how long a claim is held without a heartbeat
 * @param maxRunTime how long a handler may run
 * @param storeTimeout how long a claim may wait for the store
 * @param failOpen run the handler UNPROTECTED while the store is unreachable
 * @param requireCorrectStore reject a store that cannot guarantee every invariant, such as Redis
 * @param keepRequest whether a leased request is kept for people until its record is settled: {@code never}, {@code encrypted} or {@code
 *     always}
 * @param maxKeptRequestBytes the longest body that is kept whole
 * @param keptRequestHeaders headers that are kept; replaces the default ones
 * @param redactedFields body fields that are not kept beside those of all routes, as JSON pointers; {@code *} stands for every element
 *     or member
 */
public record RouteSettings(
        @Nullable String match,
        @Nullable String operation,
        @Nullable String store,
        @Nullable ModeSetting mode,
        @Nullable KeyRequirement keyRequirement,
        @Nullable List<String> keySources,
        @Nullable KeySyntax keySyntax,
        @Nullable Integer minKeyBytes,
        @Nullable Integer maxKeyBytes,
        @Nullable String keyPattern,
        @Nullable ProfileSetting profile,
        @Nullable String retention,
        @Nullable String clientRetryWindow,
        @Nullable Boolean keepStateOnly,
        @Nullable String inFlight,
        @Nullable String maxRequestBytes,
        @Nullable String maxOutcomeBytes,
        @Nullable Boolean markReplays,
        @Nullable Set<String> hiddenHeaders,
        @Nullable List<String> ignoredFields,
        @Nullable String lease,
        @Nullable String maxRunTime,
        @Nullable String storeTimeout,
        @Nullable Boolean failOpen,
        @Nullable Boolean requireCorrectStore,
        @Nullable KeptRequestRule keepRequest,
        @Nullable String maxKeptRequestBytes,
        @Nullable Set<String> keptRequestHeaders,
        @Nullable List<String> redactedFields) {

    /**
     * Applies these settings to a base policy.
     *
     * @param path the path of the settings, for messages
     * @throws IllegalArgumentException if a setting is invalid or conflicts with another one
     */
    public RoutePolicy applyTo(RoutePolicy base, String path) {
        var at = new SettingPath(path);
        var policy = at.checked(() -> new RoutePolicy(
                key(base.key(), at),
                run(base.run(), at),
                keep(base.replay(), at),
                request(base.request(), at),
                or(markReplays, base.marksReplays())));
        requireKeepable(policy, path);
        return policy;
    }

    /** Requires that what these settings themselves say about kept requests can come true in the mode of the route. */
    private void requireKeepable(RoutePolicy policy, String path) {
        var runs = policy.run().mode();
        if (!(runs instanceof OperationMode.Leased)
                && keepRequest != null
                && policy.request().kept().rule() == KeptRequestRule.ALWAYS) {
            throw new IllegalArgumentException(path + ".keep-request is always, but the route is " + runs
                    + ", and only leased routes keep requests. Remove it.");
        }
        if (runs instanceof OperationMode.Flow && redactedFields != null && !redactedFields.isEmpty()) {
            throw new IllegalArgumentException(
                    path
                            + ".redacted-fields is set, but the route runs a flow, which stores its request whole. Remove it, and encrypt the store.");
        }
    }

    private KeyPolicy key(KeyPolicy base, SettingPath at) {
        var rules = base.rules();
        return new KeyPolicy(
                or(keyRequirement, base.requirement()),
                at.read(
                        "key-sources",
                        keySources,
                        (path, names) -> names.stream().map(KeySource::parse).toList(),
                        base.sources()),
                or(keySyntax, base.syntax()),
                new KeyRules(
                        or(minKeyBytes, rules.minBytes()),
                        or(maxKeyBytes, rules.maxBytes()),
                        at.read(
                                "key-pattern",
                                keyPattern,
                                (path, shape) -> Optional.of(Pattern.compile(shape)),
                                rules.pattern())),
                base.logged());
    }

    private HandlerRunPolicy run(HandlerRunPolicy base, SettingPath at) {
        return new HandlerRunPolicy(
                mode == null ? base.mode() : mode.mode(),
                at.read("in-flight", inFlight, SettingParser::inFlight, base.inFlight()),
                at.read("lease", lease, SettingParser::duration, base.lease()),
                at.read("max-run-time", maxRunTime, SettingParser::duration, base.maxRunTime()),
                at.read("store-timeout", storeTimeout, SettingParser::duration, base.storeTimeout()),
                or(failOpen, base.failOpen()),
                or(requireCorrectStore, base.requireCorrectStore()));
    }

    private ReplayPolicy keep(ReplayPolicy base, SettingPath at) {
        return new ReplayPolicy(
                at.read("retention", retention, SettingParser::retention, base.retention()),
                at.read("client-retry-window", clientRetryWindow, SettingParser::duration, base.clientRetryWindow()),
                profile == null ? base.profile() : profile.profile(),
                or(keepStateOnly, base.keepStateOnly()),
                at.read("max-outcome-bytes", maxOutcomeBytes, SettingParser::size, base.maxOutcomeBytes()),
                or(hiddenHeaders, base.hiddenHeaders()));
    }

    private RequestBodyPolicy request(RequestBodyPolicy base, SettingPath at) {
        return new RequestBodyPolicy(
                at.read("max-request-bytes", maxRequestBytes, SettingParser::size, base.maxRequestBytes()),
                at.read("ignored-fields", ignoredFields, SettingParser::ignoredFields, base.fingerprint()),
                kept(base.kept(), at));
    }

    private KeptRequestPolicy kept(KeptRequestPolicy base, SettingPath at) {
        return new KeptRequestPolicy(
                        or(keepRequest, base.rule()),
                        at.read("max-kept-request-bytes", maxKeptRequestBytes, SettingParser::size, base.maxBytes()),
                        or(keptRequestHeaders, base.headers()),
                        base.redactedFields(),
                        base.redactor())
                .addRedactedFields(or(redactedFields, List.of()));
    }

    private static <T> T or(@Nullable T said, T otherwise) {
        return said == null ? otherwise : said;
    }

    /** Path of settings in the configuration; every rejected setting is named by it. */
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
