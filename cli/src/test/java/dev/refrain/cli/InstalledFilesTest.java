package dev.refrain.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.gateway.internal.config.ClientConnectionLimits;
import dev.refrain.gateway.internal.config.CommandLineOverrides;
import dev.refrain.gateway.internal.config.GatewayConfig;
import dev.refrain.gateway.internal.config.GatewayConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What is installed beside the jars agrees with the gateway: ports, pages, drain, and that the console is off. */
class InstalledFilesTest {

    private static final Path SOURCES = Path.of("../dist/src");
    private static final YAMLMapper YAML = new YAMLMapper();

    /** What {@code Refrain.close} gives running work after the drain. */
    private static final int STORE_SECONDS = 30;

    private static GatewayConfig gateway(String text) {
        var noOverrides =
                new CommandLineOverrides(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        return new GatewayConfigReader(noOverrides, Map.of()).read(text);
    }

    private static JsonNode manifest(String file, String kind) throws IOException {
        try (var documents = YAML.readerFor(JsonNode.class)
                .<JsonNode>readValues(
                        Files.readAllBytes(SOURCES.resolve("kubernetes").resolve(file)))) {
            return documents.readAll().stream()
                    .filter(document -> document.path("kind").asString().equals(kind))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static GatewayConfig gatewayInKubernetes() throws IOException {
        return gateway(
                manifest("config.yaml", "ConfigMap").at("/data/gateway.yaml").asString());
    }

    private static JsonNode pod() throws IOException {
        return manifest("deployment.yaml", "Deployment").at("/spec/template/spec");
    }

    @Test
    void exampleConfigurationIsValidAndHasNoConsole() throws IOException {
        var example = gateway(Files.readString(SOURCES.resolve("conf/gateway.yaml")));

        assertThat(example.startup().console()).isEmpty();
        assertThat(example.startup().admin().orElseThrow().toString()).isEqualTo(GatewayHealthCommand.DEFAULT_ADMIN);
    }

    @Test
    void kubernetesPortsAreThoseOfTheConfiguration() throws IOException {
        var startup = gatewayInKubernetes().startup();
        var container = pod().at("/containers/0");

        assertThat(startup.console()).isEmpty();
        assertThat(startup.listening().host()).isEqualTo("0.0.0.0");
        assertThat(startup.admin().orElseThrow().host()).isEqualTo("0.0.0.0");
        assertThat(portNamed(container, "http")).isEqualTo(startup.listening().port());
        assertThat(portNamed(container, "admin"))
                .isEqualTo(startup.admin().orElseThrow().port());
        assertThat(manifest("service.yaml", "Service")
                        .at("/spec/ports/0/targetPort")
                        .asString())
                .isEqualTo("http");
        assertThat(manifest("deployment.yaml", "Deployment")
                        .at("/spec/template/metadata/annotations")
                        .path("prometheus.io/port")
                        .asString())
                .isEqualTo(Integer.toString(startup.admin().orElseThrow().port()));
    }

    private static int portNamed(JsonNode container, String name) {
        for (var port : container.path("ports")) {
            if (port.path("name").asString().equals(name)) {
                return port.path("containerPort").asInt();
            }
        }
        throw new AssertionError("no port " + name);
    }

    @Test
    void kubernetesProbesAskPagesOfTheAdminPort() throws IOException {
        var container = pod().at("/containers/0");
        String pages = Files.readString(Path.of("../gateway/src/main/java/dev/refrain/gateway/AdminServer.java"));

        for (var probe : Map.of("startupProbe", "/live", "livenessProbe", "/live", "readinessProbe", "/ready")
                .entrySet()) {
            var request = container.path(probe.getKey()).path("httpGet");
            assertThat(request.path("path").asString()).isEqualTo(probe.getValue());
            assertThat(request.path("port").asString()).isEqualTo("admin");
            assertThat(pages).contains("case \"" + probe.getValue() + "\" ->");
        }
    }

    @Test
    void kubernetesWaitsLongerThanTheDrain() throws IOException {
        int drain = (int) gatewayInKubernetes().startup().listening().drain().toSeconds();
        int before = pod().at("/containers/0/lifecycle/preStop/sleep/seconds").asInt();

        assertThat(before).isPositive();
        assertThat(pod().path("terminationGracePeriodSeconds").asInt()).isGreaterThan(before + drain + STORE_SECONDS);
    }

    @Test
    void kubernetesPodsHaveNoPrivilegesAndSecretsOnlyByReference() throws IOException {
        var container = pod().at("/containers/0");

        assertThat(pod().at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod().path("automountServiceAccountToken").asBoolean()).isFalse();
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean())
                .isFalse();
        assertThat(container.at("/resources/limits/memory").asString()).isNotEmpty();
        var secret = manifest("secret.example.yaml", "Secret");
        for (String name : List.of("REFRAIN_STORE_USER", "REFRAIN_STORE_PASSWORD")) {
            var reference = variable(container, name).at("/valueFrom/secretKeyRef");
            assertThat(reference.path("name").asString())
                    .isEqualTo(secret.at("/metadata/name").asString());
            assertThat(secret.path("stringData").has(reference.path("key").asString()))
                    .as(name)
                    .isTrue();
        }
    }

    private static JsonNode variable(JsonNode container, String name) {
        for (var variable : container.path("env")) {
            if (variable.path("name").asString().equals(name)) {
                return variable;
            }
        }
        throw new AssertionError("no variable " + name);
    }

    @Test
    void kubernetesSelectorsFindThePods() throws IOException {
        var labels = manifest("deployment.yaml", "Deployment").at("/spec/template/metadata/labels");

        assertThat(manifest("deployment.yaml", "Deployment").at("/spec/selector/matchLabels"))
                .isEqualTo(labels);
        assertThat(manifest("service.yaml", "Service").at("/spec/selector")).isEqualTo(labels);
        assertThat(manifest("disruption-budget.yaml", "PodDisruptionBudget").at("/spec/selector/matchLabels"))
                .isEqualTo(labels);
    }

    @Test
    void unitDrainsAndRestartsAsTheGatewayEnds() throws IOException {
        String unit = Files.readString(SOURCES.resolve("systemd/refrain-gateway.service"));
        var startup =
                gateway(Files.readString(SOURCES.resolve("conf/gateway.yaml"))).startup();

        assertThat(number(unit, "TimeoutStopSec"))
                .isGreaterThan((int) startup.listening().drain().toSeconds() + STORE_SECONDS);
        assertThat(number(unit, "LimitNOFILE"))
                .isGreaterThan(ClientConnectionLimits.MOST_CONNECTIONS
                        + startup.client().connections());
        // 1 and 3 (out of memory) are followed by a restart, 2 (an invalid configuration) is not, 143 is an ordinary
        // stop.
        assertThat(unit)
                .contains("\nRestart=on-failure\n", "\nRestartPreventExitStatus=2\n", "\nSuccessExitStatus=143\n")
                .contains("\nNoNewPrivileges=yes\n", "\nDynamicUser=yes\n", "\nProtectSystem=strict\n");
    }

    private static int number(String unit, String setting) {
        var found = Pattern.compile("(?m)^" + setting + "=(\\d+)$").matcher(unit);
        assertThat(found.find()).as(setting).isTrue();
        return Integer.parseInt(found.group(1));
    }

    @Test
    void installedFilesHoldNoPasswordHash() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).as("%s", file).doesNotContain("pbkdf2-sha256:");
            }
        }
    }
}
