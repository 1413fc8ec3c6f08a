package dev.refrain.gateway.internal.config;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.gateway.internal.config.UpstreamPolicy.ForwardedKey;
import dev.refrain.gateway.internal.config.UpstreamPolicy.ServerErrorMeaning;
import dev.refrain.gateway.internal.config.UpstreamPolicy.UnansweredPolicy;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.internal.settings.ConfiguredRoutes;
import dev.refrain.http.internal.settings.RouteSettings;
import dev.refrain.http.internal.settings.SettingParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the protected routes. The lease-expiry policy of a route follows from the abilities of its upstream. */
final class GatewayRouteReader {

    private static final String ROUTES = "refrain.routes";
    private static final String ALL_PATHS = "POST,PATCH /**";
    private static final Duration DEFAULT_HONOURED = Duration.ofHours(24);

    private GatewayRouteReader() {}

    /** @param others what becomes of requests with a key that no route covers; null if that is not said */
    static List<GatewayRoute> read(
            RawConfig.Refrain refrain, @Nullable UncoveredRequestPolicy others, List<String> remarks) {
        var forAll = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD));
        if (refrain.http() != null) {
            refuseMode("refrain.http", refrain.http());
            refuseStore("refrain.http", refrain.http());
            refuseEncryption("refrain.http", refrain.http());
            forAll = refrain.http().applyTo(forAll, "refrain.http");
        }
        var routes = refrain.routes();
        if (routes == null || routes.isEmpty()) {
            refuseWithoutRoutes(others);
            var all = coveringOthers(forAll, List.of());
            remarks.add("No routes are configured: " + describeOthers(all));
            return List.of(all);
        }
        var settings = new LinkedHashMap<String, RouteSettings>();
        var upstreams = new HashMap<String, RawConfig.Upstream>();
        routes.forEach((name, said) -> {
            refuseMode(ROUTES + "." + name, said.settings());
            refuseStore(ROUTES + "." + name, said.settings());
            refuseEncryption(ROUTES + "." + name, said.settings());
            settings.put(name, said.settings());
            upstreams.put(ROUTES + "." + name, said.upstream());
        });
        var configured = new ArrayList<>(ConfiguredRoutes.findCovering(ROUTES, settings, forAll).all().stream()
                .map(said -> route(said, upstreams.getOrDefault(said.path(), NOTHING)))
                .toList());
        var rest = coveringOthers(forAll, configured);
        if (configured.stream().noneMatch(one -> one.route().covers(rest.route()))) {
            if (others == null) {
                remarks.add("Where no route matches, " + describeOthers(rest)
                        + " Set gateway.others to pass or refuse to change that.");
            }
            if (others == null || others == UncoveredRequestPolicy.PROTECT) {
                configured.add(rest);
            }
        }
        return List.copyOf(configured);
    }

    /**
     * Returns the route of whatever has a key and is covered by no other route. It requires no key, and otherwise does as is said for all
     * routes. A key is read from any header that a route reads it from.
     */
    private static GatewayRoute coveringOthers(RoutePolicy forAll, List<GatewayRoute> routes) {
        var sources = new LinkedHashMap<String, KeySource>();
        Stream.concat(
                        forAll.key().sources().stream(),
                        routes.stream()
                                .flatMap(one -> one.route().policy().key().sources().stream())
                                .filter(KeySource.Header.class::isInstance))
                .forEach(source -> sources.putIfAbsent(source.toString().toLowerCase(Locale.ROOT), source));
        var policy = forAll.key(
                key -> (key.requirement() == KeyRequirement.REQUIRED ? key.with(KeyRequirement.OPTIONAL) : key)
                        .withSources(sources.values().toArray(KeySource[]::new)));
        return new GatewayRoute(Route.of(ALL_PATHS, policy), UpstreamPolicy.DEFAULT);
    }

    private static String describeOthers(GatewayRoute rest) {
        return switch (rest.route().policy().key().requirement()) {
            case OBSERVE -> "POST and PATCH are only observed: nothing is protected.";
            case MINT -> "every POST and PATCH is protected; one without an Idempotency-Key is given one.";
            case REQUIRED, OPTIONAL ->
                "every POST and PATCH with an Idempotency-Key is protected, requests without one pass.";
        };
    }

    private static void refuseWithoutRoutes(@Nullable UncoveredRequestPolicy others) {
        if (others != null && others != UncoveredRequestPolicy.PROTECT) {
            throw new GatewayConfigException(
                    "gateway.others is " + others.word()
                            + ", but there are no routes, so nothing would be protected. Configure refrain.routes, or remove it.",
                    null);
        }
    }

    private static final RawConfig.Upstream NOTHING = new RawConfig.Upstream(null, null, null, null, null, null);

    /** Refuses a mode, because the lease-expiry policy follows from the abilities of the upstream. */
    private static void refuseMode(String path, RouteSettings settings) {
        if (settings.mode() != null) {
            throw new GatewayConfigException(
                    path
                            + ".mode is set, but the gateway derives it: leased-resume if upstream-honours-keys or lookup is set, leased-hold otherwise. Remove it.",
                    null);
        }
    }

    private static void refuseStore(String path, RouteSettings settings) {
        if (settings.store() != null) {
            throw new GatewayConfigException(
                    path + ".store is set, but a gateway has one store, which refrain.store configures. Remove it.",
                    null);
        }
    }

    private static void refuseEncryption(String path, RouteSettings settings) {
        if (settings.keepRequest() == KeptRequestRule.ENCRYPTED) {
            throw new GatewayConfigException(
                    path
                            + ".keep-request is encrypted, but the gateway does not encrypt, so nothing would be kept. Set it to always, which keeps requests in the clear, or remove it.",
                    null);
        }
    }

    private static GatewayRoute route(ConfiguredRoutes.ConfiguredRoute said, RawConfig.Upstream upstream) {
        String path = said.path();
        var defaults = UpstreamPolicy.DEFAULT;
        var unanswered = unanswered(path, upstream);
        var rules = new UpstreamPolicy(
                forwardedKey(path, upstream.forwardKey()),
                unanswered,
                serverErrors(path, upstream.serverErrors()),
                statuses(path, upstream.nothingHappenedOn(), defaults.noEffectStatuses()),
                upstream.upstreamTimeout() == null
                        ? defaults.timeout()
                        : SettingParser.duration(path + ".upstream-timeout", upstream.upstreamTimeout()));
        requireKey(path, rules);
        var route = said.route();
        requireRemembered(path, route.policy(), unanswered);
        requireTimeToSendAgain(path, rules);
        requireTimeToRun(path, route.policy(), rules);
        var takeOver = unanswered instanceof UnansweredPolicy.Hold ? LeaseExpiryPolicy.HOLD : LeaseExpiryPolicy.RESUME;
        return new GatewayRoute(
                route.with(route.policy().run(run -> run.withMode(OperationMode.leased(takeOver)))), rules);
    }

    private static UnansweredPolicy unanswered(String path, RawConfig.Upstream upstream) {
        var honoured = honoured(path + ".upstream-honours-keys", upstream.upstreamHonoursKeys());
        if (honoured != null && upstream.lookup() != null) {
            throw new GatewayConfigException(
                    path
                            + ".lookup is set beside upstream-honours-keys: a service that honours keys is not looked up. Remove one of them.",
                    null);
        }
        if (upstream.lookup() == null) {
            return honoured == null ? new UnansweredPolicy.Hold() : new UnansweredPolicy.Resend(honoured);
        }
        String template = upstream.lookup().strip();
        try {
            return new UnansweredPolicy.LookUp(new LookupPathTemplate(
                    template.regionMatches(true, 0, "GET ", 0, 4)
                            ? template.substring(4).strip()
                            : template));
        } catch (IllegalArgumentException e) {
            throw new GatewayConfigException(path + ".lookup: " + e.getMessage(), e);
        }
    }

    private static @Nullable Duration honoured(String setting, @Nullable String word) {
        if (word == null || word.equalsIgnoreCase("false")) {
            return null;
        }
        return word.equalsIgnoreCase("true") ? DEFAULT_HONOURED : SettingParser.duration(setting, word);
    }

    private static ForwardedKey forwardedKey(String path, @Nullable String word) {
        return switch (word == null ? "derived" : word.toLowerCase(Locale.ROOT)) {
            case "derived" -> ForwardedKey.DERIVED;
            case "client" -> ForwardedKey.CLIENT;
            case "none" -> ForwardedKey.NONE;
            default ->
                throw new GatewayConfigException(
                        path + ".forward-key is '" + word + "', but may be derived, client or none.", null);
        };
    }

    private static ServerErrorMeaning serverErrors(String path, @Nullable String word) {
        return switch (word == null ? "unknown" : word.toLowerCase(Locale.ROOT)) {
            case "unknown" -> ServerErrorMeaning.UNKNOWN;
            case "answer" -> ServerErrorMeaning.ANSWER;
            default ->
                throw new GatewayConfigException(
                        path + ".server-errors is '" + word + "', but may be unknown or answer.", null);
        };
    }

    private static Set<Integer> statuses(String path, @Nullable List<Integer> said, Set<Integer> otherwise) {
        if (said == null) {
            return otherwise;
        }
        for (int status : said) {
            if (status < 400 || status > 599) {
                throw new GatewayConfigException(
                        path + ".nothing-happened-on holds " + status + ", but may hold statuses from 400 to 599.",
                        null);
            }
        }
        var all = new HashSet<>(said);
        all.add(UpstreamPolicy.UNAUTHENTICATED);
        return all;
    }

    private static void requireKey(String path, UpstreamPolicy rules) {
        if (rules.key() == ForwardedKey.NONE && !(rules.onUnanswered() instanceof UnansweredPolicy.Hold)) {
            throw new GatewayConfigException(
                    path
                            + ".forward-key is none, so the service could not honour or look up a key. Set it to derived or client.",
                    null);
        }
    }

    private static void requireTimeToSendAgain(String path, UpstreamPolicy rules) {
        if (rules.onUnanswered() instanceof UnansweredPolicy.Resend again
                && rules.timeout().compareTo(again.honoured()) >= 0) {
            throw new GatewayConfigException(
                    path + ".upstream-timeout is " + text(rules.timeout()) + ", but must be shorter than "
                            + text(again.honoured())
                            + ", which is upstream-honours-keys: a request that times out could never be sent again.",
                    null);
        }
    }

    /** Requires that a call ends before its lease does: a request that a lookup does not find after the lease counts as never sent. */
    private static void requireTimeToRun(String path, RoutePolicy policy, UpstreamPolicy rules) {
        var longest = policy.run().maxRunTime();
        if (rules.onUnanswered() instanceof UnansweredPolicy.LookUp
                && rules.timeout().multipliedBy(2).compareTo(longest) > 0) {
            throw new GatewayConfigException(
                    path + ".upstream-timeout is " + text(rules.timeout()) + ", but may be "
                            + text(longest.dividedBy(2))
                            + " or less: waiting for a connection and for the answer must not exceed max-run-time.",
                    null);
        }
    }

    /** Requires that the upstream remembers keys as long as the route: a retry after that would take effect a second time. */
    private static void requireRemembered(String path, RoutePolicy policy, UnansweredPolicy unanswered) {
        if (unanswered instanceof UnansweredPolicy.Resend again
                && policy.replay()
                        .retention()
                        .duration()
                        .map(kept -> kept.compareTo(again.honoured()) > 0)
                        .orElse(true)) {
            throw new GatewayConfigException(
                    path + ".upstream-honours-keys is " + text(again.honoured())
                            + ", which is shorter than the retention: the service would have forgotten the key of a late retry. Shorten the retention to that time.",
                    null);
        }
    }

    /** Returns a duration as it is written in a configuration, such as {@code 24h}. */
    private static String text(Duration duration) {
        if (duration.toSecondsPart() != 0 || duration.toMillisPart() != 0) {
            return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
        }
        return duration.toMinutesPart() == 0 ? duration.toHours() + "h" : duration.toMinutes() + "m";
    }
}
