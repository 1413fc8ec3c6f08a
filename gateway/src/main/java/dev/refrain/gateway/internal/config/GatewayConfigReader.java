package dev.refrain.gateway.internal.config;

import dev.refrain.gateway.internal.config.GatewayConfig.AccessLogOutput;
import dev.refrain.gateway.internal.scope.GatewayScopeResolver;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.http.internal.settings.SettingParser;
import dev.refrain.observe.LoggedKeyFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds the configuration from the command line, the file and the defaults, in this order of precedence. */
public final class GatewayConfigReader {

    private static final String EVERY_INTERFACE = "0.0.0.0";
    private static final String THIS_MACHINE = "127.0.0.1";

    /** Environment variable with the URL of the Redis that replays. */
    private static final String REPLAY_FROM = "REFRAIN_STORE_REPLAY_FROM";

    private final CommandLineOverrides overrides;
    private final Map<String, String> environment;
    private final ScopeConfigReader scopes;
    private final PemTlsLoader tls;

    /** @param environment where secrets are, which no file and no command line should hold */
    public GatewayConfigReader(CommandLineOverrides overrides, Map<String, String> environment) {
        this.overrides = overrides;
        this.environment = Map.copyOf(environment);
        this.scopes = new ScopeConfigReader(this.environment);
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

    /** Reads a configuration from the text of a file. */
    public GatewayConfig read(String text) {
        var said = YamlConfigParser.read(text);
        var gateway = said.gateway() == null ? RawConfig.NO_GATEWAY : said.gateway();
        var refrain = said.refrain() == null ? RawConfig.NO_REFRAIN : said.refrain();
        return checked(() -> read(
                gateway,
                refrain,
                scopes.read(gateway.scope(), refrain.scope(), gateway.tls()),
                EVERY_INTERFACE,
                new ArrayList<>()));
    }

    /** Reads the configuration of a gateway that is started without a file: its callers share their keys, and are on this machine. */
    public GatewayConfig readWithoutFile() {
        var remarks = new ArrayList<String>();
        remarks.add(
                "All callers share their keys, so each may get the answers of every other; to tell callers apart, start with --config and a file that says gateway.scope.");
        return checked(() ->
                read(RawConfig.NO_GATEWAY, RawConfig.NO_REFRAIN, GatewayScopeResolver.shared(), THIS_MACHINE, remarks));
    }

    private static GatewayConfig checked(Supplier<GatewayConfig> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException wrong) {
            throw new GatewayConfigException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** Refuses to keep the header whose value identifies callers: it is a credential. */
    private static void refuseKeptApiKey(RawConfig.Gateway gateway, List<GatewayRoute> routes) {
        var scope = gateway.scope();
        var said = scope == null ? null : scope.apiKey();
        String header = said == null ? null : said.header();
        if (header != null
                && routes.stream()
                        .anyMatch(one -> one.route().policy().request().kept().headers().stream()
                                .anyMatch(header::equalsIgnoreCase))) {
            throw new GatewayConfigException(
                    "kept-request-headers holds " + header
                            + ", which is gateway.scope.api-key.header, carries credentials and is never kept. Remove it.",
                    null);
        }
    }

    private GatewayConfig read(
            RawConfig.Gateway gateway,
            RawConfig.Refrain refrain,
            GatewayScopeResolver scope,
            String host,
            List<String> remarks) {
        var others = UncoveredRequestPolicy.parse(gateway.others());
        var routes = GatewayRouteReader.read(refrain, others, remarks);
        refuseKeptApiKey(gateway, routes);
        var budget = budget(refrain);
        routes.forEach(one -> budget.requireRoom(one.route().name(), one.route().policy()));
        var places = refrain.basePath() == null
                ? ContractAndStatusPaths.DEFAULT
                : new ContractAndStatusPaths(refrain.basePath());
        var fixed = fixed(gateway, refrain, host, budget);
        fixed.console()
                .filter(ConsoleSettings::isRemotelyReachable)
                .ifPresent(
                        console -> remarks.add(
                                "The console on " + console.address()
                                        + " has no TLS, so passwords cross the network in clear. Put a proxy with TLS before it, or listen on 127.0.0.1."));
        var policies = new ReloadableGatewayConfig(
                target(gateway),
                routes,
                scope,
                namespace(refrain),
                places,
                others == null ? UncoveredRequestPolicy.PROTECT : others,
                gateway.logKeys() == null
                        ? LoggedKeyFormat.SHORTENED
                        : SettingParser.loggedKeys("gateway.log-keys", gateway.logKeys()));
        return new GatewayConfig(fixed, policies, remarks);
    }

    private static BufferBudget budget(RawConfig.Refrain refrain) {
        return refrain.maxBufferedBytes() == null
                ? BufferBudget.ofHeap()
                : BufferBudget.of(SettingParser.size("refrain.max-buffered-bytes", refrain.maxBufferedBytes()));
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

    private GatewayConfig.StartupConfig fixed(
            RawConfig.Gateway gateway, RawConfig.Refrain refrain, String host, BufferBudget budget) {
        return new GatewayConfig.StartupConfig(
                rawValues(gateway, refrain),
                listening(gateway, host),
                client(gateway),
                admin(gateway),
                Optional.ofNullable(gateway.console()).map(ConsoleSettings::of),
                store(refrain.store()),
                accessLog(gateway.accessLog()),
                RefrainSettingsReader.read(refrain),
                budget.maxBytes());
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
                Optional.ofNullable(refrain.maintenance()),
                Optional.ofNullable(refrain.waiters()),
                Optional.ofNullable(refrain.cache()),
                Optional.ofNullable(refrain.maxKeysPerScope()),
                Optional.ofNullable(refrain.maxBufferedBytes()));
    }

    private GatewayListenSettings listening(RawConfig.Gateway gateway, String host) {
        String word = overrides.listen().orElse(or(gateway.listen(), "8080"));
        var address = ListenAddress.of("gateway.listen", word, host);
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
                headBytes(gateway),
                isOff(gateway.clientRate())
                        ? 0
                        : gateway.clientRate() == null
                                ? defaults.bytesPerSecond()
                                : SettingParser.size("gateway.client-rate", gateway.clientRate()),
                atLeastOne(
                        "gateway.client-connections",
                        gateway.clientConnections(),
                        ClientConnectionLimits.connections(Runtime.getRuntime().maxMemory(), headBytes(gateway))));
    }

    /** Returns whether the setting is switched off; YAML parses {@code off} as {@code false}. */
    private static int headBytes(RawConfig.Gateway gateway) {
        return gateway.maxHeader() == null
                ? ClientConnectionLimits.DEFAULT.headBytes()
                : SettingParser.size("gateway.max-header", gateway.maxHeader());
    }

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
                Math.max(defaults.headerBytes(), headBytes(gateway)),
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
                replayFrom(said),
                said == null || said.migrate() == null || said.migrate(),
                said == null ? "" : or(said.schema(), ""));
    }

    /** The variable may hold a password and a secret, which the command line and the file may not. */
    private Optional<String> replayFrom(RawConfig.@Nullable Store said) {
        var url = overrides.replayFrom().or(() -> Optional.ofNullable(said).map(RawConfig.Store::replayFrom));
        url.ifPresent(shown -> StoreAddress.requireNoSecret(
                "refrain.store.replay-from",
                shown,
                "give the whole URL by the variable " + REPLAY_FROM + " and leave the setting out."));
        return url.or(() -> Optional.ofNullable(environment.get(REPLAY_FROM)).filter(found -> !found.isEmpty()));
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
