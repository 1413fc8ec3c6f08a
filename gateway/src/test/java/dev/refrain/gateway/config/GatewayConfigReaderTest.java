package dev.refrain.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayConfigReaderTest {

    private static final String FILE = """
            gateway:
              listen: 127.0.0.1:8081
              upstream: http://localhost:3000/base
              scope:
                api-key: {header: X-Api-Key}
            refrain:
              store:
                url: jdbc:sqlite:keys.db
              http:
                retention: 12h
              routes:
                charges:
                  match: POST /v1/charges
                  retention: 7d
                  in-flight: wait 5s
                refunds:
                  match: POST /v1/refunds
                  upstream-honours-keys: 24h
                all:
                  match: POST,PUT /**
                  key: optional
                  lookup: /by-key/{key}
                  forward-key: client
            """;

    private static GatewayConfig read(String text) {
        return new GatewayConfigReader(CommandLineOverrides.NONE, Map.of("SECRET", "x".repeat(32))).read(text);
    }

    /** The last line of the given text takes the place of {@code HERE}. */
    private static String with(String place, String line) {
        return """
                gateway:
                  upstream: http://localhost:3000
                  GATEWAY
                refrain:
                  REFRAIN
                  routes:
                    pay:
                      match: POST /pay
                      ROUTE
                """.replace(place, line).replaceAll(" *(GATEWAY|REFRAIN|ROUTE)\n", "");
    }

    @Test
    void theWholeProcessHasItsBounds() {
        var settings = read(with("REFRAIN", """
                waiters: {per-scope: 5}
                  cache: {bytes: 1MB, longest: 5s}
                  quota: {keys-per-scope: 7}
                  chores: {reap-every: 2m}""")).startup().settings();

        assertThat(settings.waiterLimits()).isEqualTo(new WaiterLimits(5, WaiterLimits.DEFAULT.perInstance()));
        assertThat(settings.outcomeCache()).isEqualTo(new CacheSettings(1 << 20, Duration.ofSeconds(5)));
        assertThat(settings.maxKeysPerScope()).hasValue(7);
        assertThat(settings.maintenance().reapInterval()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aFileSaysWhatHolds() {
        var config = read(FILE);

        assertThat(config.warnings()).isEmpty();
        assertThat(config.startup().listening().host()).isEqualTo("127.0.0.1");
        assertThat(config.reloadable().target().address()).hasToString("http://localhost:3000/base");
        var routes = config.reloadable().routes();
        assertThat(routes).hasSize(3);
        assertThat(routes.getLast().route().path().text())
                .as("the widest is the last")
                .isEqualTo("/**");
        assertThat(routes.getLast().route().policy().key().requirement()).isEqualTo(KeyRequirement.OPTIONAL);
        assertThat(routes.getLast().upstream().key()).isEqualTo(UpstreamPolicy.ForwardedKey.CLIENT);
        var charges = routes.stream()
                .filter(route -> route.route().path().text().equals("/v1/charges"))
                .findFirst()
                .orElseThrow();
        assertThat(charges.route().policy().replay().retention().duration()).hasValue(Duration.ofDays(7));
        assertThat(charges.route().policy().run().mode()).isEqualTo(OperationMode.leased(LeaseExpiryPolicy.HOLD));
        var refunds = routes.stream()
                .filter(route -> route.route().path().text().equals("/v1/refunds"))
                .findFirst()
                .orElseThrow();
        assertThat(refunds.route().policy().run().mode()).isEqualTo(OperationMode.leased(LeaseExpiryPolicy.RESUME));
        assertThat(refunds.upstream().onUnanswered())
                .isEqualTo(new UpstreamPolicy.UnansweredPolicy.Resend(Duration.ofHours(24)));
    }

    @Test
    void theCommandLineGoesBeforeTheFile() {
        var config = new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of("http://other:1"),
                                Optional.of("9"),
                                Optional.of("off"),
                                Optional.of("jdbc:postgresql://db/keys")),
                        Map.of())
                .read(FILE);

        assertThat(config.reloadable().target().address()).hasToString("http://other:1");
        assertThat(config.startup().listening().port()).isEqualTo(9);
        assertThat(config.startup().admin()).isEmpty();
        assertThat(config.startup().store().url()).isEqualTo("jdbc:postgresql://db/keys");
    }

    @Test
    void withoutAFileEverythingWithAKeyIsProtectedAndThatIsSaid() {
        var config = new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of("http://localhost:3000"),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()),
                        Map.of())
                .read("");

        assertThat(config.reloadable().routes()).hasSize(1);
        assertThat(config.reloadable()
                        .routes()
                        .getFirst()
                        .route()
                        .policy()
                        .key()
                        .requirement())
                .isEqualTo(KeyRequirement.OPTIONAL);
        assertThat(config.warnings())
                .anyMatch(remark -> remark.contains("No routes"))
                .anyMatch(remark -> remark.contains("one tenant"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ROUTE | retension: 7d | refrain.routes.pay.retension is not a setting | retention",
                "ROUTE | upstream-honors-keys: 7d | refrain.routes.pay.upstream-honors-keys is not a setting | upstream-honours-keys",
                "ROUTE | retention: soon | refrain.routes.pay.retention is 'soon' | 24h or 7d",
                "ROUTE | profile: stripes | refrain.routes.pay.profile is 'stripes' | stripe",
                "ROUTE | mode: leased-resume | refrain.routes.pay.mode is set | upstream-honours-keys",
                "ROUTE | forward-key: mine | refrain.routes.pay.forward-key is 'mine' | derived, client or none",
                "ROUTE | server-errors: ignore | refrain.routes.pay.server-errors is 'ignore' | unknown or answer",
                "ROUTE | nothing-happened-on: [200] | refrain.routes.pay.nothing-happened-on holds 200 | 400 to 599",
                "ROUTE | lookup: /by-key | refrain.routes.pay.lookup | {key}",
                "ROUTE | upstream-honours-keys: 1h | refrain.routes.pay.upstream-honours-keys is 1h | retention",
                "ROUTE | 'upstream-honours-keys: 24h\n      upstream-timeout: 24h' | refrain.routes.pay.upstream-timeout is 24h | shorter",
                "ROUTE | 'lookup: /by/{key}\n      upstream-timeout: 6m' | refrain.routes.pay.upstream-timeout is 6m | 5m or less",
                "ROUTE | strict: perhaps | refrain.routes.pay.strict | true or false",
                "REFRAIN | scope: principal | refrain.scope is 'principal' | one-tenant",
                "REFRAIN | 'namespace: \"\"' | refrain.namespace is blank | payments",
                "REFRAIN | 'store: {url: jdbc:oracle:x}' | refrain.store.url is 'jdbc:oracle:x' | jdbc:sqlite:FILE",
                "REFRAIN | 'store: {url: \"jdbc:postgresql://h/d?password=s3cret\"}' | REFRAIN_STORE_PASSWORD | password",
                "REFRAIN | 'http: {in-flight: maybe}' | refrain.http.in-flight is 'maybe' | reject, wait",
                "GATEWAY | listen: eighty | gateway.listen is 'eighty' | 8080",
                "GATEWAY | drain: soon | gateway.drain is 'soon' | 30s",
                "GATEWAY | connections: 0 | gateway.connections is 0 | 1 or more",
                "GATEWAY | access-log: file | gateway.access-log is 'file' | stdout or off",
                "GATEWAY | 'tls: {certificate: /no/such.pem, key: /no/such.key}' | /no/such | cannot be read",
                "GATEWAY | 'scope: {api-key: {}}' | gateway.scope.api-key.header is not set | X-Api-Key",
                "GATEWAY | 'scope: {jwt: {claim: sub}}' | gateway.scope.jwt needs one of | secret-variable",
                "GATEWAY | 'scope: {jwt: {secret-variable: NONE}}' | gateway.scope.jwt.secret-variable | NONE",
                "GATEWAY | 'scope: {client-certificate: true}' | gateway.scope.client-certificate | client-ca",
                "GATEWAY | 'scope: {trusted-header: {header: X-User}}' | gateway.scope.trusted-header.from | 10.0.0.0/8",
                "GATEWAY | 'scope: {trusted-header: {header: X-User, from: [example.com]}}' | trusted-header.from | 10.0.0.0/8",
                "GATEWAY | 'scope: {api-key: {header: A}, jwt: {secret-variable: SECRET}}' | more than one | api-key",
            })
    void aWrongSettingIsToldByItsPathAndWhatItMayBe(String place, String line, String path, String may) {
        String file = with(place, line);

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining(path)
                .hasMessageContaining(may)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void whatIsNoYamlIsToldByItsLine() {
        assertThatThrownBy(() -> read("gateway:\n\tlisten: 1\n")).hasMessageContaining("Line ");
        assertThatThrownBy(() -> read("gateway: {upstream: a, upstream: b}"))
                .isInstanceOf(GatewayConfigException.class);
        assertThatThrownBy(() -> read("gateway: 5")).hasMessageContaining("gateway");
        assertThatThrownBy(() -> read("refrain:\n  scope: one-tenant\n"))
                .hasMessageContaining("gateway.upstream is not set");
    }
}
