package dev.refrain.benchmarks;

import dev.refrain.gateway.Gateway;
import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Gateway with an upstream: one path is protected, all others pass through the same proxy. */
final class GatewayWithUpstream implements AutoCloseable {

    static final String PROTECTED = "/protected";
    static final String UNPROTECTED = "/unprotected";

    private static final String CONFIG = """
            gateway:
              access-log: off
              scope: shared
              others: pass
            refrain:
              routes:
                payments:
                  match: POST /protected
            """;

    private final BareUpstreamServer service;
    private final Gateway gateway;

    private GatewayWithUpstream(BareUpstreamServer service, Gateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    /** @param url of PostgreSQL, with user and password in it */
    static GatewayWithUpstream on(String url) throws Exception {
        var service = new BareUpstreamServer();
        try {
            return new GatewayWithUpstream(service, start(service.url(), withoutSecrets(url), CONFIG, secrets(url)));
        } catch (Exception | Error failed) {
            service.close();
            throw failed;
        }
    }

    /** Returns user and password of the URL as variables, because a gateway takes them from its environment only. */
    static Map<String, String> secrets(String url) {
        var secrets = new HashMap<String, String>();
        secret("user", url).ifPresent(user -> secrets.put(Gateway.STORE_USER, user));
        secret("password", url).ifPresent(password -> secrets.put(Gateway.STORE_PASSWORD, password));
        return secrets;
    }

    static String withoutSecrets(String url) {
        return url.replaceAll("(?<=[?&])(user|password)=[^&]*&?", "");
    }

    private static Optional<String> secret(String name, String url) {
        var found = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url);
        return found.find() ? Optional.of(URLDecoder.decode(found.group(1), StandardCharsets.UTF_8)) : Optional.empty();
    }

    static Gateway start(String upstream, String store, String config, Map<String, String> environment)
            throws Exception {
        var anyPort = Optional.of("127.0.0.1:0");
        var overrides = new CommandLineOverrides(Optional.of(upstream), anyPort, anyPort, Optional.of(store));
        return Gateway.start(new GatewayConfigReader(overrides, environment).read(config), environment, line -> {});
    }

    int port() {
        return gateway.port();
    }

    @Override
    public void close() throws Exception {
        try {
            gateway.close();
        } finally {
            service.close();
        }
    }
}
