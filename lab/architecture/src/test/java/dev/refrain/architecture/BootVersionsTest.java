package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;

/**
 * Modules on Spring Boot are tested with the versions that a user of that Spring Boot has. What the parent manages wins over Boot's own list, so
 * each of these modules names the version of Boot again, as a property.
 */
class BootVersionsTest {

    private static final String BOOT_LIST = "spring-boot-dependencies";

    /** Tools of tests, and what no service of these modules has on its class path. */
    private static final Set<String> NOT_IN_A_SERVICE = Set.of(
            "junit.version",
            "assertj.version",
            "awaitility.version",
            "selenium.version",
            "caffeine.version",
            "httpclient5.version",
            "opentelemetry.version");

    /** The crash kit, whose Spring is the application's, and modules that have the whole product on their class path. */
    private static final List<String> NOT_A_SERVICE = List.of("testing", "lab/architecture", "lab/benchmarks");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring",
                "spring/boot3",
                "examples/payments-spring",
                "lab/spring-service",
                "lab/spring-service-boot3"
            })
    void serviceHasTheVersionsThatItsSpringBootManages(String module) throws Exception {
        var parent = PomFile.of("");
        var properties = new TreeMap<>(parent.properties());
        properties.putAll(PomFile.of(module).properties());
        var boot = PomFile.read(bootList(properties.get("spring-boot.version")));
        var bootProperties = boot.properties();
        var managedByBoot = boot.managedDependencies();

        var others = new TreeMap<String, String>();
        var compared = new TreeSet<String>();
        for (var managed : parent.managedDependencies()) {
            String property = managed.versionProperty();
            var ofBoot =
                    versions(managedByBoot, managed).map(bootProperties::get).toList();
            if (properties.containsKey(property) && !NOT_IN_A_SERVICE.contains(property) && !ofBoot.isEmpty()) {
                compared.add(property);
                if (!ofBoot.contains(properties.get(property))) {
                    others.put(property, properties.get(property) + ", but Boot manages " + ofBoot);
                }
            }
        }

        assertThat(others).as("properties of %s/pom.xml", module).isEmpty();
        assertThat(compared).contains("hikari.version", "jetty.version", "micrometer.version", "pgjdbc.version");
    }

    @Test
    void everyModuleThatImportsTheListOfSpringBootIsCompared() throws Exception {
        var importing = new ArrayList<String>();
        for (String module : PomFile.of("").modules()) {
            if (PomFile.of(module).managedArtifacts().contains(BOOT_LIST)) {
                importing.add(module);
            }
        }
        importing.removeAll(NOT_A_SERVICE);

        var compared = getClass()
                .getDeclaredMethod("serviceHasTheVersionsThatItsSpringBootManages", String.class)
                .getAnnotation(ValueSource.class)
                .strings();
        assertThat(importing).containsExactlyInAnyOrder(compared);
    }

    /** Returns the property with the version that Boot gives an artifact, or those of the lists it imports for its group. */
    private static Stream<String> versions(List<PomFile.ManagedDependency> boot, PomFile.ManagedDependency wanted) {
        var ofArtifact = boot.stream()
                .filter(managed -> managed.group().equals(wanted.group())
                        && managed.artifact().equals(wanted.artifact()))
                .toList();
        var ofGroup = boot.stream()
                .filter(managed -> managed.isImport() && (wanted.group() + ".").startsWith(managed.group() + "."))
                .toList();
        return (ofArtifact.isEmpty() ? ofGroup : ofArtifact).stream().map(PomFile.ManagedDependency::versionProperty);
    }

    /** The list of a version, in the local repository that Maven took Spring Boot from. */
    private static Path bootList(String version) throws Exception {
        var jar = Path.of(SpringBootVersion.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return jar.resolve("../../..")
                .normalize()
                .resolve(Path.of(BOOT_LIST, version, BOOT_LIST + "-" + version + ".pom"));
    }
}
