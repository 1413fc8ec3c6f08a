package dev.refrain.spring.internal.handler;

import dev.refrain.spring.RefrainProperties;
import dev.refrain.spring.RefrainStartException;

/** Values of {@code refrain.scope}, the scope of a request's keys. */
public enum ScopeSetting {
    /** Keys belong to the authenticated caller. */
    PRINCIPAL,

    /** All requests share one scope: there is only one tenant. */
    SHARED;

    /**
     * Reads the setting.
     *
     * @param authenticated whether the application authenticates requests
     * @param resolver the bean type that replaces the setting
     * @throws RefrainStartException if neither is set, since callers would share keys
     */
    public static ScopeSetting of(RefrainProperties properties, boolean authenticated, Class<?> resolver) {
        return switch (properties.scope()) {
            case "principal" -> PRINCIPAL;
            case "shared" -> SHARED;
            case "" -> {
                if (!authenticated) {
                    throw new RefrainStartException(
                            "refrain.scope is not set, and there is no Spring Security to authenticate callers: they would"
                                    + " share keys.",
                            "Set it to principal, or to shared if there is only one tenant; or define a "
                                    + resolver.getSimpleName() + ".");
                }
                yield PRINCIPAL;
            }
            default ->
                throw new RefrainStartException(
                        "refrain.scope is '" + properties.scope() + "', but may be principal or shared.",
                        "Set it to one of them.");
        };
    }
}
