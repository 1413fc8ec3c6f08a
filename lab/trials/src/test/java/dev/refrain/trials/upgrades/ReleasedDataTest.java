package dev.refrain.trials.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each version that CHANGELOG.md calls released has left its data here, and later ones are tested with it. */
class ReleasedDataTest {

    private static final Pattern RELEASED = Pattern.compile("^## (\\d+\\.\\d+\\.\\d+)\\b", Pattern.MULTILINE);

    @Test
    void everyReleasedVersionLeftItsData() throws IOException {
        var released = released(Files.readString(Path.of("../../CHANGELOG.md")));

        assertThat(released).isNotEmpty();
        assertThat(missing(released)).as("Write it with DumpGenerationTest").isEmpty();
    }

    @Test
    void versionWithoutItsDataIsReported() {
        var released = released("## Unreleased\n\n## 98.7.6 (2030-01-01)\n\n### Changed\n\n## 0.1.0 (2026-11-18)\n");

        assertThat(missing(released))
                .containsExactlyInAnyOrderElementsOf(EmptyDatabase.DIALECTS.stream()
                        .map(dialect -> new OldDump("98.7.6", dialect))
                        .toList());
    }

    private static List<String> released(String changelog) {
        return RELEASED.matcher(changelog)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static List<OldDump> missing(List<String> versions) {
        return versions.stream()
                .flatMap(version -> EmptyDatabase.DIALECTS.stream().map(dialect -> new OldDump(version, dialect)))
                .filter(dump -> !dump.isComplete())
                .toList();
    }
}
