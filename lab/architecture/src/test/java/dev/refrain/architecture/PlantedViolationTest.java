package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.refrain.architecture.SourceCompiler.SourceText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule reports a class that breaks it: sources are compiled into the class folder of a module, and the rule is applied to them. */
class PlantedViolationTest {

    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("(?:class|record|interface) (\\w+)");

    @TempDir
    Path root;

    /**
     * @param module the module that holds the classes
     * @param reported a part of the report
     */
    record Planted(String fault, ArchRule rule, BuildModule module, String reported, List<String> sources) {
        @Override
        public String toString() {
            return fault;
        }
    }

    private static Planted plant(String fault, ArchRule rule, BuildModule module, String reported, String... sources) {
        return new Planted(fault, rule, module, reported, List.of(sources));
    }

    static Stream<Planted> faults() {
        return Stream.of(
                plant(
                        "core uses a flow",
                        ArchitectureRules.DEPENDENCIES_AS_ALLOWED,
                        BuildModule.CORE,
                        "CORE may not use FLOW",
                        "package dev.refrain.planted; class Planted { dev.refrain.flow.Completer completer; }"),
                plant(
                        "the product uses the laboratory",
                        ArchitectureRules.PRODUCT_WITHOUT_LABORATORY,
                        BuildModule.CLI,
                        "PostgresPair",
                        "package dev.refrain.planted; class Planted { dev.refrain.servers.PostgresPair pair; }"),
                plant(
                        "core uses JDBC",
                        ArchitectureRules.CORE_WITHOUT_DATABASE_OR_FRAMEWORK,
                        BuildModule.CORE,
                        "java.sql.Connection",
                        "package dev.refrain.planted; class Planted { java.sql.Connection connection; }"),
                plant(
                        "core shows a JSON library",
                        ArchitectureRules.NO_JSON_LIBRARY_IN_CORE_API,
                        BuildModule.CORE,
                        "shows tools.jackson.databind.JsonNode",
                        "package dev.refrain.planted; public class Planted { public tools.jackson.databind.JsonNode node; }"),
                plant(
                        "core uses a JSON library outside its codecs",
                        ArchitectureRules.JSON_LIBRARY_IN_CODECS_ONLY,
                        BuildModule.CORE,
                        "tools.jackson.databind.JsonNode",
                        "package dev.refrain.planted; class Planted { private tools.jackson.databind.JsonNode node; }"),
                optional(
                        "a method takes an Optional",
                        "public class Planted { public void run(Optional<String> a) {} }"),
                optional("a constructor takes one", "public class Planted { public Planted(Optional<String> a) {} }"),
                optional("a method takes an OptionalInt", "public interface Planted { void run(OptionalInt a); }"),
                optional(
                        "a nested type's method takes one",
                        "public class Planted { public static class Inner { protected void run(Optional<String> a) {} } }"),
                optional(
                        "a record's second constructor takes one",
                        "public record Planted(String a, int b) { public Planted(Optional<String> a) { this(a.get(), 1); } }"),
                plant(
                        "a module uses core's engine",
                        ArchitectureRules.INTERNAL_PACKAGES_STAY_INTERNAL,
                        BuildModule.FLOW,
                        "dev.refrain.internal.run.RefrainEngine",
                        "package dev.refrain.planted; class Planted { dev.refrain.internal.run.RefrainEngine engine; }"),
                plant(
                        "a friend of http uses core's engine",
                        ArchitectureRules.INTERNAL_PACKAGES_STAY_INTERNAL,
                        BuildModule.SPRING,
                        "dev.refrain.internal.run.RefrainEngine",
                        "package dev.refrain.planted; class Planted { dev.refrain.internal.run.RefrainEngine[] engines; }"),
                plant(
                        "an example uses http's internals",
                        ArchitectureRules.INTERNAL_PACKAGES_STAY_INTERNAL,
                        BuildModule.DEMO,
                        "dev.refrain.http.internal.body.BodyBuffer",
                        "package dev.refrain.planted; class Planted { dev.refrain.http.internal.body.BodyBuffer body; }"),
                plant(
                        "two packages use each other",
                        ArchitectureRules.NO_CYCLES,
                        BuildModule.OUTBOX,
                        "Cycle detected",
                        "package dev.refrain.planted.one; public class One { dev.refrain.planted.two.Two two; }",
                        "package dev.refrain.planted.two; public class Two { dev.refrain.planted.one.One one; }"),
                plant(
                        "the engine of the JDBC stores uses the store",
                        ArchitectureRules.JDBC_ENGINE_BELOW_ITS_PUBLIC_TYPES,
                        BuildModule.STORE_JDBC,
                        "dev.refrain.store.jdbc.JdbcStore",
                        "package dev.refrain.store.jdbc.internal.planted; class Planted { dev.refrain.store.jdbc.JdbcStore store; }"),
                plant(
                        "a store asks its own machine for the time",
                        ArchitectureRules.SERVERS_OF_STORES_HAVE_THE_CLOCK,
                        BuildModule.STORE_REDIS,
                        "java.time.Instant.now()",
                        "package dev.refrain.store.redis.planted; class Planted { java.time.Instant at = java.time.Instant.now(); }"),
                plant(
                        "a part of the gateway uses the gateway",
                        ArchitectureRules.GATEWAY_PARTS_BELOW_THE_GATEWAY,
                        BuildModule.GATEWAY,
                        "dev.refrain.gateway.Gateway",
                        "package dev.refrain.gateway.internal.planted; class Planted { dev.refrain.gateway.Gateway gateway; }"),
                plant(
                        "a package is a dumping ground",
                        ArchitectureRules.NO_DUMPING_GROUNDS,
                        BuildModule.CORE,
                        "dev.refrain.util.Planted",
                        "package dev.refrain.util; class Planted {}"),
                plant(
                        "a package is not null-marked",
                        ArchitectureRules.PACKAGES_ARE_NULL_MARKED,
                        BuildModule.CORE,
                        "not @NullMarked",
                        "package dev.refrain.planted; class Planted {}"));
    }

    private static Planted optional(String fault, String type) {
        return plant(
                fault,
                ArchitectureRules.NO_OPTIONAL_PARAMETERS,
                BuildModule.HTTP_CLIENT,
                "takes an Optional",
                "package dev.refrain.planted; import java.util.*; " + type);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void ruleReportsWhatBreaksIt(Planted planted) throws Exception {
        var result = planted.rule().evaluate(compiled(planted.module(), planted.sources()));

        assertThat(result.hasViolation()).isTrue();
        assertThat(result.getFailureReport().toString()).contains(planted.reported());
    }

    static Stream<Planted> harmless() {
        return Stream.of(
                optional("a record has an optional component", "public record Planted(Optional<String> a) {}"),
                optional(
                        "a method returns one",
                        "public class Planted { public Optional<String> a() { return null; } }"),
                optional("nobody outside can call it", "public class Planted { Planted(Optional<String> a) {} }"),
                plant(
                        "a friend uses http's internals",
                        ArchitectureRules.INTERNAL_PACKAGES_STAY_INTERNAL,
                        BuildModule.GATEWAY,
                        "",
                        "package dev.refrain.planted; class Planted { dev.refrain.http.internal.body.BodyBuffer body; }"));
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void ruleAllowsWhatIsRight(Planted planted) throws Exception {
        var result = planted.rule().evaluate(compiled(planted.module(), planted.sources()));

        assertThat(result.getFailureReport().getDetails()).isEmpty();
    }

    private JavaClasses compiled(BuildModule module, List<String> sources) throws Exception {
        Path classes = root.resolve(module.folder()).resolve("target/classes");
        Files.createDirectories(classes);
        assertThat(SourceCompiler.compile(
                        sources.stream().map(PlantedViolationTest::source).toList(), classes))
                .as("errors of the planted classes")
                .isEmpty();
        return new ClassFileImporter().importPath(classes);
    }

    private static SourceText source(String code) {
        return new SourceText(found(PACKAGE, code).replace('.', '/') + "/" + found(TYPE, code), code);
    }

    private static String found(Pattern pattern, String code) {
        return pattern.matcher(code).results().findFirst().orElseThrow().group(1);
    }
}
