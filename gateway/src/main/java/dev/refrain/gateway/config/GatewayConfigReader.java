package dev.refrain.gateway.config;

import dev.refrain.gateway.config.GatewayConfig.AccessLogOutput;
import dev.refrain.http.edge.RefrainEndpointPaths;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.settings.SettingParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the configuration from the command line, the file and the defaults, in this order of precedence. */
public final class GatewayConfigReader {

    private final CommandLineOverrides overrides;
    private final ScopeConfigReader scopes;
    private final PemTlsLoader tls;

    /** @param environment where secrets are, which no file and no command line should hold */
    public GatewayConfigReader(CommandLineOverrides overrides, Map<String, String> environment) {
        this.overrides = overrides;
        this.scopes = new ScopeConfigReader(Map.copyOf(environment));
        this.tls = new PemTlsLoader(environment);
    }

    /** @throws GatewayConfigException if something is wrong, with the path of the setting and what it may be */
    public GatewayConfig read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new GatewayConfigException(
                    Files.exists(file)
                            ? "Cannot read the configuration " + file
                                    + ": it is no text file, or this user may not read it."
                            : "There is no configuration " + file + ". Check the path after --config.",
                    e);
        }
        return read(text);
    }

    /** Reads a configuration from text, which may be empty. */
    public GatewayConfig read(String text) {
        var said = YamlConfigParser.read(text);
        try {
            return read(
                    said.gateway() == null ? RawConfig.NO_GATEWAY : said.gateway(),
                    said.refrain() == null ? RawConfig.NO_REFRAIN : said.refrain());
        } catch (IllegalArgumentException wrong) {
            throw new GatewayConfigException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private GatewayConfig read(RawConfig.Gateway gateway, RawConfig.Refrain refrain) {
        var remarks = new ArrayList<String>();
        var scope = scopes.read(gateway.scope(), refrain.scope(), gateway.tls(), remarks);
        var routes = GatewayRouteReader.read(refrain, remarks);
        var places = refrain.basePath() == null
                ? RefrainEndpointPaths.DEFAULT
                : new RefrainEndpointPaths(refrain.basePath());
        var fixed = fixed(gateway, refrain);
        fixed.console()
                .filter(ConsoleSettings::isRemotelyReachable)
                .ifPresent(
                        console -> remarks.add(
                                "The console on " + console.address()
                                        + " has no TLS, so passwords cross the network in clear. Put a proxy with TLS before it, or listen on 127.0.0.1."));
        var policies = new ReloadableGatewayConfig(target(gateway), routes, scope, namespace(refrain), places);
        return new GatewayConfig(fixed, policies, remarks);
    }

    private static String namespace(RawConfig.Refrain refrain) {
        String said = or(refrain.namespace(), RouteProtection.NAMESPACE);
        if (said.isBlank()) {
            throw new GatewayConfigException(
                    "refrain.namespace is blank, but may be a name of this API, such as payments.", null);
        }
        return said;
    }

    private UpstreamEndpoint target(RawConfig.Gateway gateway) {
        String address = overrides.upstream().orElseGet(() -> required(gateway.upstream()));
        var target = UpstreamEndpoint.of(address);
        return new UpstreamEndpoint(
                target.address(),
                gateway.preserveHost() == null || gateway.preserveHost(),
                time("gateway.upstream-idle", gateway.upstreamIdle(), target.idle()));
    }

    private static String required(@Nullable String upstream) {
        if (upstream == null) {
            throw new GatewayConfigException(
                    "gateway.upstream is not set. Set it to an address such as http://localhost:3000, here or by --upstream.",
                    null);
        }
        return upstream;
    }

    private GatewayConfig.StartupConfig fixed(RawConfig.Gateway gateway, RawConfig.Refrain refrain) {
        return new GatewayConfig.StartupConfig(
                rawValues(gateway, refrain),
                listening(gateway),
                client(gateway),
                admin(gateway),
                Optional.ofNullable(gateway.console()).map(ConsoleSettings::of),
                store(refrain.store()),
                accessLog(gateway.accessLog()),
                InstanceSettingsReader.read(refrain));
    }

    private static List<Optional<?>> rawValues(RawConfig.Gateway gateway, RawConfig.Refrain refrain) {
        return List.of(
                Optional.ofNullable(gateway.listen()),
                Optional.ofNullable(gateway.admin()),
                Optional.ofNullable(gateway.console()),
                Optional.ofNullable(gateway.upstreamCa()),
                Optional.ofNullable(gateway.connectTimeout()),
                Optional.ofNullable(gateway.keepAlive()),
                Optional.ofNullable(gateway.connections()),
                Optional.ofNullable(gateway.queued()),
                Optional.ofNullable(gateway.clientIdle()),
                Optional.ofNullable(gateway.clientHead()),
                Optional.ofNullable(gateway.clientRate()),
                Optional.ofNullable(gateway.clientConnections()),
                Optional.ofNullable(gateway.maxHeader()),
                Optional.ofNullable(gateway.drain()),
                Optional.ofNullable(gateway.accessLog()),
                Optional.ofNullable(gateway.tls()),
                Optional.ofNullable(refrain.store()),
                Optional.ofNullable(refrain.chores()),
                Optional.ofNullable(refrain.waiters()),
                Optional.ofNullable(refrain.cache()),
                Optional.ofNullable(refrain.quota()));
    }

    private GatewayListenSettings listening(RawConfig.Gateway gateway) {
        String word = overrides.listen().orElse(or(gateway.listen(), "8080"));
        var address = ListenAddress.of("gateway.listen", word, "0.0.0.0");
        var defaults = GatewayListenSettings.on(address.host(), address.port());
        return new GatewayListenSettings(
                address.host(),
                address.port(),
                bounds(gateway),
                time("gateway.drain", gateway.drain(), defaults.drain()),
                Optional.ofNullable(gateway.tls()).map(tls::server));
    }

    private static ClientConnectionLimits bounds(RawConfig.Gateway gateway) {
        var defaults = ClientConnectionLimits.DEFAULT;
        return new ClientConnectionLimits(
                time("gateway.client-idle", gateway.clientIdle(), defaults.idle()),
                time("gateway.client-head", gateway.clientHead(), defaults.head()),
                gateway.maxHeader() == null
                        ? defaults.headBytes()
                        : SettingParser.size("gateway.max-header", gateway.maxHeader()),
                isOff(gateway.clientRate())
                        ? 0
                        : gateway.clientRate() == null
                                ? defaults.bytesPerSecond()
                                : SettingParser.size("gateway.client-rate", gateway.clientRate()),
                atLeastOne("gateway.client-connections", gateway.clientConnections(), defaults.connections()));
    }

    /** Returns whether the setting is switched off; YAML parses {@code off} as {@code false}. */
    private static boolean isOff(@Nullable String word) {
        return word != null && (word.equalsIgnoreCase("off") || word.equalsIgnoreCase("false"));
    }

    private static UpstreamConnectionSettings client(RawConfig.Gateway gateway) {
        var defaults = UpstreamConnectionSettings.DEFAULT;
        return new UpstreamConnectionSettings(
                time("gateway.connect-timeout", gateway.connectTimeout(), defaults.connect()),
                time("gateway.keep-alive", gateway.keepAlive(), defaults.keepAlive()),
                atLeastOne("gateway.connections", gateway.connections(), defaults.connections()),
                atLeastOne("gateway.queued", gateway.queued(), defaults.queued()),
                defaults.headerBytes(),
                Optional.ofNullable(gateway.upstreamCa()).map(PemTlsLoader::client));
    }

    private Optional<ListenAddress> admin(RawConfig.Gateway gateway) {
        String word = overrides.admin().orElse(or(gateway.admin(), "9090"));
        return isOff(word) ? Optional.empty() : Optional.of(ListenAddress.of("gateway.admin", word, "127.0.0.1"));
    }

    private StoreAddress store(RawConfig.@Nullable Store said) {
        String url =
                overrides.store().orElse(said == null ? StoreAddress.DEFAULT : or(said.url(), StoreAddress.DEFAULT));
        return new StoreAddress(
                url,
                said == null || said.migrate() == null || said.migrate(),
                said == null ? "" : or(said.schema(), ""));
    }

    private static AccessLogOutput accessLog(@Nullable String word) {
        if (isOff(word)) {
            return AccessLogOutput.OFF;
        }
        if (or(word, "stdout").equals("stdout")) {
            return AccessLogOutput.STDOUT;
        }
        throw new GatewayConfigException("gateway.access-log is '" + word + "', but may be stdout or off.", null);
    }

    static Duration time(String setting, @Nullable String word, Duration otherwise) {
        return word == null ? otherwise : SettingParser.duration(setting, word);
    }

    private static int atLeastOne(String setting, @Nullable Integer said, int otherwise) {
        if (said != null && said < 1) {
            throw new GatewayConfigException(setting + " is " + said + ", but may be 1 or more.", null);
        }
        return said == null ? otherwise : said;
    }

    private static String or(@Nullable String said, String otherwise) {
        return said == null ? otherwise : said;
    }
}
