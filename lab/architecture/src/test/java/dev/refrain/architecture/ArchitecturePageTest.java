package dev.refrain.architecture;

import static dev.refrain.architecture.ArchitectureRules.in;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/architecture.md} says of the modules and of the order of packages and stages is so. */
class ArchitecturePageTest {

    private static final Path PAGE = Path.of("../../docs/architecture.md");
    private static final Path WALK = Path.of("../../http/src/main/java/dev/refrain/http/edge/RequestWalk.java");
    private static final Pattern STAGE_ON_PAGE = Pattern.compile("^\\| (\\d+) `(\\w+)` \\|", Pattern.MULTILINE);
    private static final Pattern STAGES = Pattern.compile("STAGES = List\\.of\\((.*?)\\);", Pattern.DOTALL);
    private static final Pattern MODULE_ON_PAGE =
            Pattern.compile("^\\| `([a-z0-9/-]+)` \\| [^|]+ \\| ([^|]+) \\|$", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern BLOCK = Pattern.compile("```\n(.*?)```", Pattern.DOTALL);

    @Test
    void stagesOfTheWalkAreListedInTheirOrder() throws IOException {
        var list = STAGES.matcher(Files.readString(WALK)).results().findFirst().orElseThrow();
        var stages = Pattern.compile("RequestWalk::(\\w+)")
                .matcher(list.group(1))
                .results()
                .map(stage -> stage.group(1))
                .toList();
        var listed = STAGE_ON_PAGE.matcher(page()).results().toList();

        assertThat(listed).extracting(stage -> stage.group(2)).isEqualTo(stages);
        assertThat(listed)
                .extracting(stage -> Integer.parseInt(stage.group(1)))
                .isEqualTo(IntStream.rangeClosed(1, stages.size()).boxed().toList());
    }

    @Test
    void modulesMayUseEachOtherAsListed() throws IOException {
        var listed = MODULE_ON_PAGE
                .matcher(page())
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> QUOTED.matcher(row.group(2))
                                .results()
                                .map(quoted -> quoted.group(1))
                                .collect(Collectors.toCollection(TreeSet::new))));

        assertThat(BuildModule.values())
                .allSatisfy(module -> assertThat(listed.get(module.folder()))
                        .as(module.folder())
                        .isEqualTo(Stream.of(BuildModule.values())
                                .filter(other -> other != module && module.mayUse(other))
                                .map(BuildModule::folder)
                                .collect(Collectors.toCollection(TreeSet::new))));
        assertThat(listed.keySet())
                .as("modules on the page")
                .hasSize(BuildModule.values().length + 1)
                .contains("lab/architecture");
    }

    @Test
    void packagesOfCoreDependOnEachOtherAsListed() throws IOException {
        checkOrder("dev.refrain", BuildModule.CORE);
    }

    @Test
    void packagesOfTheJdbcStoresDependOnEachOtherAsListed() throws IOException {
        checkOrder("dev.refrain.store.jdbc", BuildModule.STORE_JDBC);
    }

    private static void checkOrder(String top, BuildModule module) throws IOException {
        var lineOf = order(top);
        JavaClasses classes = ArchitectureTest.ALL.that(in(module));
        var upward = new TreeSet<String>();
        var packages = new TreeSet<String>();
        for (JavaClass type : classes) {
            String from = type.getPackageName();
            packages.add(from);
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(in(module))
                    .map(JavaClass::getPackageName)
                    .filter(to -> !to.equals(from) && lineOf.getOrDefault(from, 0) >= lineOf.getOrDefault(to, 0))
                    .forEach(to -> upward.add(from + " uses " + to));
        }
        assertThat(lineOf.keySet()).as("packages on the page").containsExactlyInAnyOrderElementsOf(packages);
        assertThat(upward).as("against the order of the page").isEmpty();
    }

    /** Returns the line of each package in the list that begins with a package. */
    private static Map<String, Integer> order(String top) throws IOException {
        List<String> lines = BLOCK.matcher(page())
                .results()
                .map((MatchResult block) -> block.group(1))
                .filter(block -> block.startsWith(top + "\n"))
                .findFirst()
                .orElseThrow()
                .lines()
                .toList();
        var lineOf = new TreeMap<String, Integer>();
        for (int i = 0; i < lines.size(); i++) {
            for (String name : lines.get(i).split(" · ")) {
                lineOf.put(name.strip(), i + 1);
            }
        }
        return lineOf;
    }

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }
}
