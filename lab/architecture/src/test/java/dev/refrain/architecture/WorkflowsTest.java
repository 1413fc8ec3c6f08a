package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code ./mvnw verify} leaves out is run for each change by {@code .ci/run}, or by a workflow: nobody runs it by hand each night, or before each release. */
class WorkflowsTest {

    private static final Path ROOT = Path.of("../..");
    private static final Pattern PROFILE_ON_PAGE = Pattern.compile("^\\| `-P(\\w+)", Pattern.MULTILINE);

    /** Scripts that check something; the others are for hands or are read by these. */
    private static final List<String> CHECKS =
            List.of("run", "release-dry-run", "check-bundle", "check-api", "check-dist", "check-gradle", "quickstarts");

    @Test
    void everyProfileThatVerifyLeavesOutRunsForEachChangeOrAtNight() throws IOException {
        var profiles = PROFILE_ON_PAGE
                .matcher(Files.readString(ROOT.resolve("CONTRIBUTING.md")))
                .results()
                .map((MatchResult row) -> row.group(1))
                .collect(Collectors.toSet());
        String commands = Files.readString(ROOT.resolve(".ci/run"))
                + Files.readString(ROOT.resolve(".github/workflows/nightly.yml"));

        assertThat(profiles)
                .contains("long", "alerts", "stores")
                .allSatisfy(profile -> assertThat(commands).contains("verify -P" + profile));
    }

    @Test
    void everyCheckIsRunByAWorkflow() throws IOException {
        assertThat(CHECKS).allSatisfy(check -> assertThat(workflows()).contains(".ci/" + check));
        try (Stream<Path> scripts = Files.list(ROOT.resolve(".ci"))) {
            assertThat(scripts.map(script -> script.getFileName().toString()))
                    .containsAll(CHECKS)
                    .filteredOn(name -> !CHECKS.contains(name) && !name.startsWith("set-"))
                    .as("scripts that are neither a check nor for hands")
                    .containsExactly("published.sh");
        }
    }

    private static String workflows() throws IOException {
        var text = new StringBuilder();
        try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
            for (var file : files.toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }
}
