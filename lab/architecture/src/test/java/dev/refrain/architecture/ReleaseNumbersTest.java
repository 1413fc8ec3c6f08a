package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.internal.fingerprint.FingerprintRecipe;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.jdbc.internal.schema.SchemaMigrator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A release is one thing: the POMs, CHANGELOG.md, UPGRADING.md, the time stamp of the build and the manifests speak of the same version. */
class ReleaseNumbersTest {

    private static final Path ROOT = Path.of("../..");
    private static final Pattern RELEASE =
            Pattern.compile("(?m)^## (\\d+\\.\\d+\\.\\d+) \\((\\d{4}-\\d\\d-\\d\\d)\\)$");
    private static final Pattern UNRELEASED = Pattern.compile("(?m)^## Unreleased$");
    private static final Pattern UPGRADE =
            Pattern.compile("(?m)^\\| (\\d+\\.\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|");
    private static final Pattern IMAGE = Pattern.compile("image: \\S+:(\\S+)");

    @Test
    void versionOfTheTreeIsThatOfItsChangelogAndItsTimeStamp() throws Exception {
        assertThat(problem(
                        PomFile.of("").version(),
                        Files.readString(ROOT.resolve("CHANGELOG.md")),
                        PomFile.of("").properties().get("project.build.outputTimestamp")))
                .isEmpty();
    }

    @Test
    void everyModuleHasTheVersionOfTheTree() throws Exception {
        var root = PomFile.of("");
        for (String module : root.modules()) {
            assertThat(PomFile.of(module).version()).as("%s/pom.xml", module).isEqualTo(root.version());
        }
    }

    @Test
    void treesThatAreHalfReleasedAreReported() {
        String released = "# Changelog\n\n## 0.2.0 (2030-01-02)\n\n## 0.1.0 (2030-01-01)\n";
        String going = "# Changelog\n\n## Unreleased\n\n## 0.1.0 (2030-01-01)\n";

        assertThat(problem("0.2.0", released, "2030-01-02T00:00:00Z")).isEmpty();
        assertThat(problem("0.2.0-SNAPSHOT", going, "2030-01-01T00:00:00Z")).isEmpty();
        assertThat(problem("0.1.0", released, "2030-01-02T00:00:00Z"))
                .hasValueSatisfying(is("the newest release is 0.2.0"));
        assertThat(problem("0.2.0", released, "2030-01-01T00:00:00Z")).hasValueSatisfying(is("outputTimestamp"));
        assertThat(problem("0.1.0", going, "2030-01-01T00:00:00Z")).hasValueSatisfying(is("Unreleased"));
        assertThat(problem("0.3.0-SNAPSHOT", released, "2030-01-02T00:00:00Z")).hasValueSatisfying(is("Unreleased"));
        assertThat(problem("0.1.0-SNAPSHOT", going, "2030-01-01T00:00:00Z")).hasValueSatisfying(is("is released"));
    }

    /** The last row is what this version writes. */
    @Test
    void upgradingNamesTheFormatsOfThisVersion() throws Exception {
        var rows = UPGRADE.matcher(Files.readString(ROOT.resolve("UPGRADING.md")))
                .results()
                .toList();
        int outcomeFormat = OutcomeFormat.encode(new Outcome.Answer(200, List.of(), Payload.of(new byte[0])))
                .bytes()[0];

        var last = rows.getLast();
        assertThat(List.of(last.group(2), last.group(3), last.group(4), last.group(5)))
                .as(
                        "schema, oldest reader, stored outcome format and fingerprint version, in the last row of UPGRADING.md")
                .containsExactly(
                        "" + SchemaMigrator.LATEST,
                        "" + SchemaMigrator.OLDEST_READER,
                        "" + outcomeFormat,
                        FingerprintRecipe.VERSION);
    }

    @Test
    void manifestsNameTheNewestRelease() throws IOException {
        var newest = RELEASE.matcher(Files.readString(ROOT.resolve("CHANGELOG.md")));
        assertThat(newest.find()).isTrue();

        assertThat(IMAGE.matcher(Files.readString(ROOT.resolve("dist/src/kubernetes/deployment.yaml")))
                        .results()
                        .map((MatchResult image) -> image.group(1)))
                .isNotEmpty()
                .containsOnly(newest.group(1));
    }

    private static Consumer<String> is(String text) {
        return problem -> assertThat(problem).contains(text);
    }

    private static Optional<String> problem(String version, String changelog, String timestamp) {
        var newest = RELEASE.matcher(changelog);
        if (!newest.find()) {
            return Optional.of("CHANGELOG.md names no release with its date.");
        }
        boolean going = UNRELEASED.matcher(changelog).find();
        if (version.endsWith("-SNAPSHOT")) {
            if (!going) {
                return Optional.of("The tree is at " + version + ", and CHANGELOG.md has no section Unreleased.");
            }
            return version.equals(newest.group(1) + "-SNAPSHOT")
                    ? Optional.of(newest.group(1) + " is released, and the tree is at " + version + ".")
                    : Optional.empty();
        }
        if (going) {
            return Optional.of(
                    "The tree is at the release " + version + ", and CHANGELOG.md has a section Unreleased.");
        }
        if (!version.equals(newest.group(1))) {
            return Optional.of("The tree is at " + version + ", the newest release is " + newest.group(1) + ".");
        }
        return timestamp.equals(newest.group(2) + "T00:00:00Z")
                ? Optional.empty()
                : Optional.of(
                        "project.build.outputTimestamp is " + timestamp + ", the release is of " + newest.group(2));
    }
}
