package dev.refrain.spring.handler;

import dev.refrain.KeyRules;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.settings.SettingParser;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainProperties;
import java.util.Set;

/** What holds for a handler: its annotation over the application's settings. */
final class HandlerPolicyFactory {

    private final RefrainProperties.Http defaults;
    private final OperationMode ifNothingIsSaid;

    private HandlerPolicyFactory(RefrainProperties.Http defaults, OperationMode ifNothingIsSaid) {
        this.defaults = defaults;
        this.ifNothingIsSaid = ifNothingIsSaid;
    }

    static HandlerPolicyFactory of(RefrainProperties.Http defaults) {
        // Never used as it is: every handler says how it runs, or is refused.
        return new HandlerPolicyFactory(defaults, OperationMode.leased(LeaseExpiryPolicy.HOLD));
    }

    RoutePolicy of(String handler, Idempotent annotation, OperationMode mode) {
        var policy = defaultPolicy();
        if (!annotation.requirement().isEmpty()) {
            policy = policy.key(key -> key.with(
                    SettingParser.requirement(handler + ": @Idempotent.requirement", annotation.requirement())));
        }
        if (!annotation.retention().isEmpty()) {
            policy = policy.replay(keep ->
                    keep.with(SettingParser.retention(handler + ": @Idempotent.retention", annotation.retention())));
        }
        if (!annotation.profile().isEmpty()) {
            policy = policy.replay(
                    keep -> keep.with(SettingParser.profile(handler + ": @Idempotent.profile", annotation.profile())));
        }
        if (annotation.ignoring().length > 0) {
            policy = policy.request(request -> request.with(RequestFingerprinter.builder()
                    .exclude(annotation.ignoring())
                    .build()));
        }
        String inFlight = annotation.inFlight().isEmpty() ? defaults.inFlight() : annotation.inFlight();
        try {
            return policy.run(run -> run.with(SettingParser.inFlight(handler + ": in-flight", inFlight))
                    .withMode(mode));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(handler + ": " + e.getMessage(), e);
        }
    }

    /** What holds where nothing else is said. */
    RoutePolicy defaultPolicy() {
        var syntax = defaults.strict() ? KeySyntax.STRICT : KeySyntax.LENIENT;
        var sources = defaults.headers().stream().map(KeySource::parse).toArray(KeySource[]::new);
        var policy = RoutePolicy.of(ifNothingIsSaid)
                .key(key -> key.with(SettingParser.requirement("refrain.http.key", defaults.key()))
                        .withSources(sources)
                        .with(syntax)
                        .with(KeyRules.DEFAULT.lengths(defaults.minKeyBytes(), defaults.maxKeyBytes())))
                .run(run -> run.with(SettingParser.inFlight("refrain.http.in-flight", defaults.inFlight()))
                        .withLease(defaults.lease())
                        .withMaxRun(defaults.maxRun())
                        .withPatience(defaults.patience()))
                .replay(keep -> keep.with(SettingParser.profile("refrain.http.profile", defaults.profile()))
                        .with(SettingParser.retention("refrain.http.retention", defaults.retention()))
                        .withMaxBytes(Math.toIntExact(defaults.maxAnswer().toBytes()))
                        .withHiddenHeaders(Set.copyOf(defaults.hiddenHeaders())))
                .request(request -> request.withMaxBytes(
                        Math.toIntExact(defaults.maxRequest().toBytes())));
        return defaults.markReplays() ? policy : policy.withoutReplayHeader();
    }
}
