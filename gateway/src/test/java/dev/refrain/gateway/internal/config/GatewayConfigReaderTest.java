package dev.refrain.gateway.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RefrainSettings.CacheSettings;
import dev.refrain.RefrainSettings.WaiterLimits;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.OperationMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayConfigReaderTest {

    private static final String FILE = """
            gateway:
              listen: 127.0.0.1:8081
              upstream: http://localhost:3000/base
              scope:
                api-key: {header: X-Api-Key}
              others: pass
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
                  key-requirement: optional
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
                  SCOPE
                  GATEWAY
                refrain:
                  REFRAIN
                  routes:
                    pay:
                      match: POST /pay
                      ROUTE
                """.replace("SCOPE", line.startsWith("scope:") ? "" : "scope: shared")
                .replace(place, line)
                .replaceAll(" *(GATEWAY|REFRAIN|ROUTE)\n", "");
    }

    @Test
    void wholeProcessHasItsBounds() {
        var settings = read(with("REFRAIN", """
                waiters: {per-scope: 5}
                  cache: {max-bytes: 1MB, max-age: 5s}
                  max-keys-per-scope: 7
                  instance-name: gateway-3
                  maintenance: {reap-interval: 2m}""")).startup().settings();

        assertThat(settings.waiterLimits()).isEqualTo(new WaiterLimits(5, WaiterLimits.DEFAULT.perInstance()));
        assertThat(settings.outcomeCache()).isEqualTo(new CacheSettings(1 << 20, Duration.ofSeconds(5)));
        assertThat(settings.maxKeysPerScope()).hasValue(7);
        assertThat(settings.instanceName()).isEqualTo("gateway-3");
        assertThat(settings.maintenance().reapInterval()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void bodiesHaveABudget() {
        assertThat(read(with("REFRAIN", "max-buffered-bytes: 12MB")).startup().maxBufferedBytes())
                .isEqualTo(12 << 20);
        assertThat(read(with("REFRAIN", "")).startup().maxBufferedBytes())
                .isEqualTo(Runtime.getRuntime().maxMemory() / 4);
    }

    @Test
    void routeWhoseLargestBodyDoesNotFitIntoTheBudgetIsRefused() {
        assertThatThrownBy(() -> read(with("REFRAIN", "max-buffered-bytes: 1MB")))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("max-request-bytes of POST /pay")
                .hasMessageContaining("refrain.max-buffered-bytes is 1048576");
    }

    @Test
    void fileSaysWhatHolds() {
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
    void commandLineGoesBeforeTheFile() {
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
                .readWithoutFile();

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
                .anyMatch(remark -> remark.startsWith("All callers share their keys"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ROUTE | retension: 7d | refrain.routes.pay.retension is not a setting | retention",
                "ROUTE | upstream-honors-keys: 7d | refrain.routes.pay.upstream-honors-keys is not a setting | upstream-honours-keys",
                "ROUTE | retention: soon | refrain.routes.pay.retention is 'soon' | 24h or 7d",
                "ROUTE | profile: stripes | refrain.routes.pay.profile is 'stripes', but may be default, stripe, | success-only or adyen.",
                "ROUTE | profile: 1 | refrain.routes.pay.profile is '1', but may be | success-only or adyen.",
                "ROUTE | 'profile: \"\"' | refrain.routes.pay.profile is '', but may be | success-only or adyen.",
                "ROUTE | 'profile: [stripe]' | refrain.routes.pay.profile | default, stripe",
                "ROUTE | key-requirement: maybe | refrain.routes.pay.key-requirement is 'maybe' | required, optional, mint or observe.",
                "ROUTE | keep-request: yes | refrain.routes.pay.keep-request is 'yes' | never, encrypted or always.",
                "REFRAIN | 'http: {profile: stripes}' | refrain.http.profile is 'stripes' | success-only or adyen.",
                "ROUTE | mode: leased-resume | refrain.routes.pay.mode is set | upstream-honours-keys",
                "ROUTE | forward-key: mine | refrain.routes.pay.forward-key is 'mine' | derived, client or none",
                "ROUTE | server-errors: ignore | refrain.routes.pay.server-errors is 'ignore' | unknown or answer",
                "ROUTE | nothing-happened-on: [200] | refrain.routes.pay.nothing-happened-on holds 200 | 400 to 599",
                "ROUTE | lookup: /by-key | refrain.routes.pay.lookup | {key}",
                "ROUTE | upstream-honours-keys: 1h | refrain.routes.pay.upstream-honours-keys is 1h | retention",
                "ROUTE | 'upstream-honours-keys: 24h\n      upstream-timeout: 24h' | refrain.routes.pay.upstream-timeout is 24h | shorter",
                "ROUTE | 'lookup: /by/{key}\n      upstream-timeout: 6m' | refrain.routes.pay.upstream-timeout is 6m | 5m or less",
                "ROUTE | key-syntax: perhaps | refrain.routes.pay.key-syntax is 'perhaps' | lenient or strict.",
                "ROUTE | store: bulk | refrain.routes.pay.store is set | one store",
                "ROUTE | keep-request: encrypted | refrain.routes.pay.keep-request is encrypted | always",
                "REFRAIN | 'http: {keep-request: encrypted}' | refrain.http.keep-request is encrypted | always",
                "REFRAIN | scope: principal | refrain.scope is 'principal' | shared",
                "REFRAIN | 'namespace: \"\"' | refrain.namespace is blank | payments",
                "REFRAIN | 'store: {url: jdbc:oracle:x}' | refrain.store.url is 'jdbc:oracle:x' | jdbc:sqlite:FILE",
                "REFRAIN | 'store: {url: \"jdbc:postgresql://h/d?password=s3cret\"}' | REFRAIN_STORE_PASSWORD | password",
                "REFRAIN | 'http: {in-flight: maybe}' | refrain.http.in-flight is 'maybe' | reject, wait",
                "GATEWAY | listen: eighty | gateway.listen is 'eighty' | 8080",
                "GATEWAY | drain: soon | gateway.drain is 'soon' | 30s",
                "GATEWAY | connections: 0 | gateway.connections is 0 | 1 or more",
                "GATEWAY | others: maybe | gateway.others is 'maybe' | protect, pass or refuse",
                "GATEWAY | log-keys: some | gateway.log-keys is 'some' | shortened, full or off",
                "GATEWAY | 'scope: {}' | gateway.scope is not set | shared",
                "GATEWAY | 'scope: one' | gateway.scope is 'one' | shared",
                "GATEWAY | 'scope: {shared: true, api-key: {header: A}}' | more than one | shared",
                "GATEWAY | 'scope: {api-key: {header: cookie}}' | gateway.scope.api-key.header is Cookie | jwt",
                "GATEWAY | access-log: file | gateway.access-log is 'file' | stdout or off",
                "GATEWAY | 'tls: {certificate: /no/such.pem, key: /no/such.key}' | /no/such | cannot be read",
                "GATEWAY | 'scope: {api-key: {}}' | gateway.scope.api-key.header is not set | X-Api-Key",
                "GATEWAY | 'scope: {jwt: {jwks: http://issuer.example/keys}}' | gateway.scope.jwt: jwks is | https",
                "GATEWAY | 'scope: {jwt: {jwks: http://127.evil.example/keys}}' | gateway.scope.jwt: jwks is | https",
                "GATEWAY | 'scope: {jwt: {claim: sub}}' | gateway.scope.jwt needs one of | secret-variable",
                "GATEWAY | 'scope: {jwt: {secret-variable: NONE}}' | gateway.scope.jwt.secret-variable | NONE",
                "GATEWAY | 'scope: {client-certificate: true}' | gateway.scope.client-certificate | client-ca",
                "GATEWAY | 'scope: {trusted-header: {header: X-User}}' | gateway.scope.trusted-header.from | 10.0.0.0/8",
                "GATEWAY | 'scope: {trusted-header: {header: X-User, from: [example.com]}}' | trusted-header.from | 10.0.0.0/8",
                "GATEWAY | 'scope: {api-key: {header: A}, jwt: {secret-variable: SECRET}}' | more than one | api-key",
            })
    void wrongSettingIsNamedByItsPathAndWhatItMayBe(String place, String line, String path, String may) {
        String file = with(place, line);

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining(path)
                .hasMessageContaining(may)
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"success-only", "SUCCESS-ONLY", "Success-Only", "' success-only '"})
    void wordsAreReadInAnyCase(String profile) {
        var policy = read(with("ROUTE", "profile: " + profile + "\n      key-syntax: Strict"))
                .reloadable()
                .routes()
                .getFirst()
                .route()
                .policy();

        assertThat(policy.replay().profile().name()).isEqualTo("success-only");
        assertThat(policy.key().syntax()).isEqualTo(KeySyntax.STRICT);
    }

    @Test
    void fileMustSayWhoseKeysTheyAre() {
        assertThatThrownBy(() -> read("gateway: {upstream: 'http://localhost:3000'}"))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("gateway.scope is not set")
                .hasMessageContaining("shared");
        assertThatThrownBy(() -> read("")).hasMessageContaining("gateway.scope is not set");
        for (String said : new String[] {"scope: shared", "scope: {shared: true}"}) {
            assertThat(read("gateway:\n  upstream: http://localhost:3000\n  " + said + "\n")
                            .warnings())
                    .as(said)
                    .noneMatch(remark -> remark.contains("share"));
        }
    }

    private static GatewayConfig withoutFile(String... listen) {
        return new GatewayConfigReader(
                        new CommandLineOverrides(
                                Optional.of("http://localhost:3000"),
                                Arrays.stream(listen).findFirst(),
                                Optional.empty(),
                                Optional.empty()),
                        Map.of())
                .readWithoutFile();
    }

    @Test
    void withoutAFileOnlyThisMachineIsServedByDefault() {
        assertThat(withoutFile().startup().listening().host()).isEqualTo("127.0.0.1");
        assertThat(withoutFile("9000").startup().listening().host()).isEqualTo("127.0.0.1");
        assertThat(withoutFile("0.0.0.0:9000").startup().listening().host()).isEqualTo("0.0.0.0");
        assertThat(read(FILE.replace("listen: 127.0.0.1:8081", "listen: 8081"))
                        .startup()
                        .listening()
                        .host())
                .isEqualTo("0.0.0.0");
    }

    @Test
    void oneRouteDoesNotLeaveTheOthersUnprotectedInSilence() {
        var unsaid = read(with("ROUTE", "retention: 7d"));
        assertThat(unsaid.reloadable().routes()).hasSize(2);
        assertThat(unsaid.reloadable().routes().getLast().route().policy().key().requirement())
                .isEqualTo(KeyRequirement.OPTIONAL);
        assertThat(unsaid.warnings()).anyMatch(remark -> remark.contains("gateway.others"));

        assertThat(read(with("GATEWAY", "others: protect")).reloadable().routes())
                .hasSize(2);
        for (String word : new String[] {"pass", "refuse"}) {
            var said = read(with("GATEWAY", "others: " + word));
            assertThat(said.reloadable().routes()).as(word).hasSize(1);
            assertThat(said.reloadable().others().word()).isEqualTo(word);
            assertThat(said.warnings()).isEmpty();
        }
        assertThatThrownBy(() -> read("gateway: {upstream: 'http://a', scope: shared, others: pass}"))
                .hasMessageContaining("nothing would be protected");
    }

    @Test
    void uncoveredRequestIsObservedOrGivenKeysByTheDefaults() {
        for (var requirement : List.of(KeyRequirement.OBSERVE, KeyRequirement.MINT)) {
            String http = "http: {key-requirement: " + requirement + "}";
            var without = read("gateway: {upstream: 'http://a', scope: shared}\nrefrain:\n  " + http + "\n");
            for (var config : List.of(without, read(with("REFRAIN", http)))) {
                var rest = config.reloadable().routes().getLast().route().policy();

                assertThat(rest.key().requirement()).isEqualTo(requirement);
                assertThat(config.warnings())
                        .anyMatch(remark ->
                                remark.contains(requirement == KeyRequirement.OBSERVE ? "only observed" : "given one"));
            }
        }
        assertThat(read(with("REFRAIN", "http: {key-requirement: required}"))
                        .reloadable()
                        .routes()
                        .getLast()
                        .route()
                        .policy()
                        .key()
                        .requirement())
                .isEqualTo(KeyRequirement.OPTIONAL);
    }

    @Test
    void uncoveredRequestHasItsKeyInAnyHeaderThatARouteReads() {
        var config = read(with("ROUTE", "key-sources: [X-Pay-Key, idempotency-key, 'body:id']"));

        assertThat(config.reloadable().routes().getLast().route().policy().key().sources())
                .containsExactly(KeySource.STANDARD, KeySource.header("X-Pay-Key"));
    }

    @Test
    void headerThatTellsCallersApartIsNeverKept() {
        String file = "gateway: {upstream: 'http://a', scope: {api-key: {header: X-Token}}}\n"
                + "refrain:\n  http: {kept-request-headers: [x-token]}\n";

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("kept-request-headers holds X-Token");
    }

    @Test
    void malformedYamlIsReportedByItsLine() {
        assertThatThrownBy(() -> read("gateway:\n\tlisten: 1\n")).hasMessageContaining("Line ");
        assertThatThrownBy(() -> read("gateway: {upstream: a, upstream: b}"))
                .isInstanceOf(GatewayConfigException.class);
        assertThatThrownBy(() -> read("gateway: 5")).hasMessageContaining("gateway");
        assertThatThrownBy(() -> read("refrain:\n  scope: shared\n"))
                .hasMessageContaining("gateway.upstream is not set");
    }
}
