package dev.refrain.spring.internal.handler;

import dev.refrain.KeyRules;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.HandlerRunPolicy;
import dev.refrain.http.KeptRequestPolicy;
import dev.refrain.http.KeptRequestRedactor;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.internal.settings.SettingParser;
import dev.refrain.spring.Idempotent;
import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStartException;
import java.util.List;
import java.util.Set;

/** Creates a handler's policy: its annotation over the application's settings. */
final class HandlerPolicyFactory {

    private final RefrainProperties.Http defaults;
    private final OperationMode ifNothingIsSaid;
    private final KeptRequestRedactor redactor;

    private HandlerPolicyFactory(
            RefrainProperties.Http defaults, OperationMode ifNothingIsSaid, KeptRequestRedactor redactor) {
        this.defaults = defaults;
        this.ifNothingIsSaid = ifNothingIsSaid;
        this.redactor = redactor;
    }

    static HandlerPolicyFactory of(RefrainProperties.Http defaults, KeptRequestRedactor redactor) {
        // A placeholder: every handler chooses its mode or is rejected.
        return new HandlerPolicyFactory(defaults, OperationMode.leased(LeaseExpiryPolicy.HOLD), redactor);
    }

    /**
     * Applies to a route that was declared in code what the application demands of all: a correct store, and its redacted fields and redactor beside the
     * route's own.
     */
    Route withDemandsOnAll(Route declared) {
        return declared.with(withDemandedStore(declared.policy())
                .request(request -> request.with(request.kept()
                        .addRedactedFields(defaults.redactedFields())
                        .with(request.kept().redactor().andThen(redactor)))));
    }

    private RoutePolicy withDemandedStore(RoutePolicy policy) {
        return defaults.requireCorrectStore() ? policy.run(HandlerRunPolicy::withRequireCorrectStore) : policy;
    }

    RoutePolicy of(String handler, Idempotent annotation, OperationMode mode) {
        requireKeepable(handler, annotation, mode);
        var policy = defaultPolicy();
        if (annotation.keyRequirement() != Idempotent.Requirement.AS_CONFIGURED) {
            policy = policy.key(key ->
                    key.with(KeyRequirement.valueOf(annotation.keyRequirement().name())));
        }
        if (!annotation.retention().isEmpty()) {
            policy = policy.replay(keep ->
                    keep.with(SettingParser.retention(handler + ": @Idempotent.retention", annotation.retention())));
        }
        if (annotation.profile() != Idempotent.Profile.AS_CONFIGURED) {
            policy = policy.replay(keep -> keep.with(annotation.profile().outcomeProfile()));
        }
        if (annotation.ignoredFields().length > 0) {
            var fingerprinter = SettingParser.ignoredFields(
                    handler + ": @Idempotent.ignoredFields", List.of(annotation.ignoredFields()));
            policy = policy.request(request -> request.with(fingerprinter));
        }
        if (!annotation.inFlight().isEmpty()) {
            policy = policy.run(
                    run -> run.with(SettingParser.inFlight(handler + ": @Idempotent.inFlight", annotation.inFlight())));
        }
        if (annotation.requireCorrectStore()) {
            policy = policy.run(HandlerRunPolicy::withRequireCorrectStore);
        }
        if (annotation.keepRequest() != Idempotent.KeepRequest.AS_CONFIGURED) {
            var rule = KeptRequestRule.valueOf(annotation.keepRequest().name());
            policy = policy.request(request -> request.with(request.kept().with(rule)));
        }
        if (annotation.redactedFields().length > 0) {
            policy = policy.request(
                    request -> request.with(request.kept().addRedactedFields(List.of(annotation.redactedFields()))));
        }
        try {
            return policy.run(run -> run.withMode(mode));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(handler + ": " + e.getMessage(), e);
        }
    }

    private static void requireKeepable(String handler, Idempotent annotation, OperationMode mode) {
        if (annotation.keepRequest() == Idempotent.KeepRequest.ALWAYS && !(mode instanceof OperationMode.Leased)) {
            throw new RefrainStartException(
                    handler + ": @Idempotent.keepRequest is ALWAYS, but its mode is " + mode
                            + ", and only leased handlers keep requests.",
                    "Remove it.");
        }
        if (annotation.redactedFields().length > 0 && mode instanceof OperationMode.Flow) {
            throw new RefrainStartException(
                    handler
                            + ": @Idempotent.redactedFields is set, but it runs a flow, which stores its request whole.",
                    "Remove it, and encrypt the store.");
        }
    }

    private KeptRequestPolicy keptRequests() {
        var kept = KeptRequestPolicy.DEFAULT
                .with(defaults.keepRequest())
                .withMaxBytes(Math.toIntExact(defaults.maxKeptRequestBytes().toBytes()))
                .withRedactedFields(defaults.redactedFields())
                .with(redactor);
        return defaults.keptRequestHeaders().isEmpty()
                ? kept
                : kept.withHeaders(Set.copyOf(defaults.keptRequestHeaders()));
    }

    /** Returns the policy from the application's settings alone. */
    RoutePolicy defaultPolicy() {
        var sources = defaults.keySources().stream().map(KeySource::parse).toArray(KeySource[]::new);
        var policy = RoutePolicy.of(ifNothingIsSaid)
                .key(key -> key.with(defaults.keyRequirement())
                        .withSources(sources)
                        .with(defaults.keySyntax())
                        .with(defaults.logKeys())
                        .with(KeyRules.DEFAULT.lengths(defaults.minKeyBytes(), defaults.maxKeyBytes())))
                .run(run -> run.with(SettingParser.inFlight("refrain.http.in-flight", defaults.inFlight()))
                        .withLease(defaults.lease())
                        .withMaxRunTime(defaults.maxRunTime())
                        .withStoreTimeout(defaults.storeTimeout()))
                .replay(keep -> keep.with(defaults.profile().profile())
                        .with(SettingParser.retention("refrain.http.retention", defaults.retention()))
                        .withMaxOutcomeBytes(
                                Math.toIntExact(defaults.maxOutcomeBytes().toBytes()))
                        .withHiddenHeaders(Set.copyOf(defaults.hiddenHeaders())))
                .request(request -> request.withMaxRequestBytes(
                                Math.toIntExact(defaults.maxRequestBytes().toBytes()))
                        .with(keptRequests()));
        policy = withDemandedStore(policy);
        return defaults.markReplays() ? policy : policy.withoutReplayHeader();
    }
}
