package dev.refrain.spring.handler;

import dev.refrain.spring.RefrainProperties;

/** What {@code refrain.scope} says about whose keys a request uses. */
public enum ScopeSetting {
    /** The authenticated caller's. */
    PRINCIPAL,

    /** Everyone's: there is only one tenant. */
    ONE_TENANT;

    /**
     * @param authenticated whether there is something that says who sends a request
     * @param resolver the type of which a bean would say it instead
     * @throws IllegalStateException if nothing is said: callers would share their keys
     */
    public static ScopeSetting of(RefrainProperties properties, boolean authenticated, Class<?> resolver) {
        return switch (properties.scope()) {
            case "principal" -> PRINCIPAL;
            case "one-tenant" -> ONE_TENANT;
            case "" -> {
                if (!authenticated) {
                    throw new IllegalStateException(
                            "refrain.scope is not set, and there is no Spring Security that would say who sends a request: callers would"
                                    + " share their keys. Set it to principal, or to one-tenant if there is only one; or define a "
                                    + resolver.getSimpleName() + ".");
                }
                yield PRINCIPAL;
            }
            default ->
                throw new IllegalArgumentException(
                        "refrain.scope is '" + properties.scope() + "', but may be principal or one-tenant.");
        };
    }
}
