package dev.refrain.http;

import dev.refrain.KeyRules;
import java.util.List;

/**
 * How the key is sent.
 *
 * @param sources where it may stand, in order of preference
 */
public record KeyPolicy(KeyRequirement requirement, List<KeySource> sources, KeySyntax syntax, KeyRules rules) {

    public static final KeyPolicy DEFAULT =
            new KeyPolicy(KeyRequirement.REQUIRED, List.of(KeySource.STANDARD), KeySyntax.LENIENT, KeyRules.DEFAULT);

    public KeyPolicy {
        sources = List.copyOf(sources);
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("key.sources must name at least one header or body field.");
        }
    }

    public KeyPolicy with(KeyRequirement other) {
        return new KeyPolicy(other, sources, syntax, rules);
    }

    public KeyPolicy withSources(KeySource... others) {
        return new KeyPolicy(requirement, List.of(others), syntax, rules);
    }

    public KeyPolicy with(KeySyntax other) {
        return new KeyPolicy(requirement, sources, other, rules);
    }

    public KeyPolicy with(KeyRules other) {
        return new KeyPolicy(requirement, sources, syntax, other);
    }
}
