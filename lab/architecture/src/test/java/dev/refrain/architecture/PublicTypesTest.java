package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A type becomes public on purpose: decision 0015 says how many each published package has, and who names them. */
class PublicTypesTest {

    private static final Path PAGE = Path.of("../../docs/decisions/0015-doors.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| `(dev\\.refrain[a-z.]*)` \\| (\\d+) \\|", Pattern.MULTILINE);
    private static final Pattern SUMS = Pattern.compile("Of `core`'s (\\d+), authors of stores have (\\d+) ");

    @Test
    void everyPublicTypeOfAPublishedPackageIsCountedInTheDecision() throws IOException {
        var found = publicTypes();
        var counted = counted();

        assertThat(found.keySet()).as("packages with public types").hasSizeGreaterThan(30);
        assertThat(counted.keySet()).as("packages in %s", PAGE).isEqualTo(found.keySet());
        assertThat(found)
                .allSatisfy((name, types) -> assertThat(types)
                        .as(
                                "public types of %s: make a new one package-private or internal, or count it in %s",
                                name, PAGE)
                        .hasSize(counted.get(name)));
    }

    /**
     * Cases of a sealed type are read with its name ({@code SagaResult.Completed}), settings with that of their section
     * ({@code RefrainProperties.Store}). Builders are an idiom.
     */
    @Test
    void publicSimpleNamesExistOnce() {
        var twins = publishedTypes()
                .filter(type -> type.getEnclosingClass()
                        .map(outer -> !type.isAssignableTo(outer.getName())
                                && !outer.getSimpleName().equals("RefrainProperties")
                                && !type.getSimpleName().equals("Builder"))
                        .orElse(true))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName,
                        TreeMap::new,
                        Collectors.mapping(JavaClass::getName, Collectors.toList())));
        twins.values().removeIf(types -> types.size() == 1);
        assertThat(twins).isEmpty();
    }

    @Test
    void sumsOfTheDecisionAreThoseOfItsTable() throws IOException {
        var counted = counted();
        var found = SUMS.matcher(Files.readString(PAGE));

        assertThat(found.find()).isTrue();
        assertThat(Integer.valueOf(found.group(1)))
                .as("core")
                .isEqualTo(sum(
                        counted,
                        "",
                        ".api",
                        ".observe",
                        ".phase",
                        ".store",
                        ".store.outbox",
                        ".store.ledger",
                        ".store.cas",
                        ".store.memory"));
        assertThat(Integer.valueOf(found.group(2)))
                .as("authors of stores")
                .isEqualTo(sum(counted, ".store", ".store.outbox", ".store.ledger", ".store.cas"));
    }

    private static int sum(Map<String, Integer> counted, String... packages) {
        return Stream.of(packages)
                .mapToInt(name -> Objects.requireNonNull(counted.get("dev.refrain" + name), name))
                .sum();
    }

    private static Stream<JavaClass> publishedTypes() {
        return ArchitectureTest.ALL.stream()
                .filter(type -> BuildModule.of(type)
                        .filter(BuildModule::isReleased)
                        .filter(module -> module != BuildModule.SPRING_BOOT3)
                        .isPresent())
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getPackageName().contains(".internal"));
    }

    private static Map<String, List<String>> publicTypes() {
        return publishedTypes()
                .filter(JavaClass::isTopLevelClass)
                .collect(Collectors.groupingBy(
                        JavaClass::getPackageName,
                        TreeMap::new,
                        Collectors.mapping(JavaClass::getSimpleName, Collectors.toList())));
    }

    private static Map<String, Integer> counted() throws IOException {
        return ROW.matcher(Files.readString(PAGE))
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> Integer.valueOf(row.group(2)),
                        (one, other) -> {
                            throw new AssertionError("a package is listed twice");
                        },
                        TreeMap::new));
    }
}
