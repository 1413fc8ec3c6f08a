package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A type becomes public on purpose: decision 0015 says how many each published package has, and who names them. */
class PublicTypesTest {

    private static final Path PAGE = Path.of("../../docs/decisions/0015-doors.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| `(dev\\.refrain[a-z.]*)` \\| (\\d+) \\|", Pattern.MULTILINE);

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

    private static Map<String, List<String>> publicTypes() {
        return ArchitectureTest.ALL.stream()
                .filter(type -> BuildModule.of(type)
                        .filter(BuildModule::isReleased)
                        .filter(module -> module != BuildModule.SPRING_BOOT3)
                        .isPresent())
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getPackageName().contains(".internal"))
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
