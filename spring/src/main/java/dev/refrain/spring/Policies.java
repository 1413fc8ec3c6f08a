package dev.refrain.spring;

import dev.refrain.fingerprint.Fingerprinter;
import dev.refrain.http.key.KeySource;
import dev.refrain.http.key.KeySyntax;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.settings.Words;
import dev.refrain.key.KeyRules;
import dev.refrain.store.TakeOver;
import java.util.Set;

/** What holds for a handler: its annotation over the application's settings. */
final class Policies {

    private final RefrainProperties.Http defaults;
    private final Mode ifNothingIsSaid;

    private Policies(RefrainProperties.Http defaults, Mode ifNothingIsSaid) {
        this.defaults = defaults;
        this.ifNothingIsSaid = ifNothingIsSaid;
    }

    static Policies of(RefrainProperties.Http defaults) {
        // Never used as it is: every handler says how it runs, or is refused.
        return new Policies(defaults, Mode.leased(TakeOver.HOLD));
    }

    Policy of(String handler, Idempotent annotation, Mode mode) {
        var policy = defaultPolicy();
        if (!annotation.requirement().isEmpty()) {
            policy = policy.key(key ->
                    key.with(Words.requirement(handler + ": @Idempotent.requirement", annotation.requirement())));
        }
        if (!annotation.retention().isEmpty()) {
            policy = policy.replay(
                    keep -> keep.with(Words.retention(handler + ": @Idempotent.retention", annotation.retention())));
        }
        if (!annotation.profile().isEmpty()) {
            policy = policy.replay(
                    keep -> keep.with(Words.profile(handler + ": @Idempotent.profile", annotation.profile())));
        }
        if (annotation.ignoring().length > 0) {
            policy = policy.request(request -> request.with(
                    Fingerprinter.builder().exclude(annotation.ignoring()).build()));
        }
        String inFlight = annotation.inFlight().isEmpty() ? defaults.inFlight() : annotation.inFlight();
        try {
            return policy.run(run ->
                    run.with(Words.inFlight(handler + ": in-flight", inFlight)).withMode(mode));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(handler + ": " + e.getMessage(), e);
        }
    }

    /** What holds where nothing else is said. */
    Policy defaultPolicy() {
        var syntax = defaults.strict() ? KeySyntax.STRICT : KeySyntax.LENIENT;
        var sources = defaults.headers().stream().map(KeySource::parse).toArray(KeySource[]::new);
        var policy = Policy.of(ifNothingIsSaid)
                .key(key -> key.with(Words.requirement("refrain.http.key", defaults.key()))
                        .withSources(sources)
                        .with(syntax)
                        .with(KeyRules.DEFAULT.lengths(defaults.minKeyBytes(), defaults.maxKeyBytes())))
                .run(run -> run.with(Words.inFlight("refrain.http.in-flight", defaults.inFlight()))
                        .withLease(defaults.lease())
                        .withMaxRun(defaults.maxRun())
                        .withPatience(defaults.patience()))
                .replay(keep -> keep.with(Words.profile("refrain.http.profile", defaults.profile()))
                        .with(Words.retention("refrain.http.retention", defaults.retention()))
                        .withMaxBytes(Math.toIntExact(defaults.maxAnswer().toBytes()))
                        .withHiddenHeaders(Set.copyOf(defaults.hiddenHeaders())))
                .request(request ->
                        request.withMaxBytes(Math.toIntExact(defaults.maxRequest().toBytes())));
        return defaults.markReplays() ? policy : policy.withoutReplayHeader();
    }
}
