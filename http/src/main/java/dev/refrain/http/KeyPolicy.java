package dev.refrain.http;

import dev.refrain.KeyRules;
import dev.refrain.observe.LoggedKeyFormat;
import java.util.List;

/**
 * Rules for a route's idempotency key: whether it is required, where it is sent, and its syntax. Immutable.
 *
 * @param sources places that may carry the key, in order of preference
 * @param logged how the log shows the key of a request whose outcome is unknown
 */
public record KeyPolicy(
        KeyRequirement requirement, List<KeySource> sources, KeySyntax syntax, KeyRules rules, LoggedKeyFormat logged) {

    public static final KeyPolicy DEFAULT = new KeyPolicy(
            KeyRequirement.REQUIRED,
            List.of(KeySource.STANDARD),
            KeySyntax.LENIENT,
            KeyRules.DEFAULT,
            LoggedKeyFormat.SHORTENED);

    public KeyPolicy {
        sources = List.copyOf(sources);
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("key-sources must name at least one header or body field.");
        }
    }

    public KeyPolicy with(KeyRequirement other) {
        return new KeyPolicy(other, sources, syntax, rules, logged);
    }

    public KeyPolicy withSources(KeySource... others) {
        return new KeyPolicy(requirement, List.of(others), syntax, rules, logged);
    }

    public KeyPolicy with(KeySyntax other) {
        return new KeyPolicy(requirement, sources, other, rules, logged);
    }

    public KeyPolicy with(KeyRules other) {
        return new KeyPolicy(requirement, sources, syntax, other, logged);
    }

    public KeyPolicy with(LoggedKeyFormat other) {
        return new KeyPolicy(requirement, sources, syntax, rules, other);
    }
}
