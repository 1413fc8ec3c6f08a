package dev.refrain.gateway.config;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.gateway.config.UpstreamPolicy.ForwardedKey;
import dev.refrain.gateway.config.UpstreamPolicy.ServerErrorMeaning;
import dev.refrain.gateway.config.UpstreamPolicy.UnansweredPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.settings.ConfiguredRoutes;
import dev.refrain.http.settings.RouteSettings;
import dev.refrain.http.settings.SettingParser;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the protected routes. The lease-expiry policy of a route follows from the abilities of its upstream. */
final class GatewayRouteReader {

    private static final String ROUTES = "refrain.routes";
    private static final String ALL_PATHS = "POST,PATCH /**";
    private static final Duration DEFAULT_HONOURED = Duration.ofHours(24);

    private GatewayRouteReader() {}

    static List<GatewayRoute> read(RawConfig.Refrain refrain, List<String> remarks) {
        var forAll = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD));
        if (refrain.http() != null) {
            refuseMode("refrain.http", refrain.http());
            forAll = refrain.http().applyTo(forAll, "refrain.http");
        }
        var routes = refrain.routes();
        if (routes == null || routes.isEmpty()) {
            remarks.add(
                    "No routes are configured: every POST and PATCH with an Idempotency-Key is protected, requests without one pass.");
            var optional = forAll.key(key -> key.with(KeyRequirement.OPTIONAL));
            return List.of(new GatewayRoute(Route.of(ALL_PATHS, optional), UpstreamPolicy.DEFAULT));
        }
        var settings = new LinkedHashMap<String, RouteSettings>();
        var upstreams = new HashMap<String, RawConfig.Upstream>();
        routes.forEach((name, said) -> {
            refuseMode(ROUTES + "." + name, said.settings());
            settings.put(name, said.settings());
            upstreams.put(ROUTES + "." + name, said.upstream());
        });
        return ConfiguredRoutes.findCovering(ROUTES, settings, forAll).all().stream()
                .map(said -> route(said, upstreams.getOrDefault(said.path(), NOTHING)))
                .toList();
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
        return Set.copyOf(said);
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
        var longest = policy.run().maxRun();
        if (rules.onUnanswered() instanceof UnansweredPolicy.LookUp
                && rules.timeout().multipliedBy(2).compareTo(longest) > 0) {
            throw new GatewayConfigException(
                    path + ".upstream-timeout is " + text(rules.timeout()) + ", but may be "
                            + text(longest.dividedBy(2))
                            + " or less: waiting for a connection and for the answer must not exceed max-run.",
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
