package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Pages tell users to depend on the newest release: a release renews them. */
class DocumentedVersionsTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern RELEASE = Pattern.compile("(?m)^## (\\d+\\.\\d+\\.\\d+) ");

    /** Dependencies in XML and Gradle, archives, images. */
    private static final Pattern OURS = Pattern.compile(
            "<artifactId>refrain-[\\w-]+</artifactId>\\s*<version>([^<$]+)</version>|\\brefrain(?:-[a-z0-9]+)*[:-](\\d+\\.\\d+\\.\\d+)");

    @Test
    void pagesNameTheNewestRelease() throws IOException {
        var release = RELEASE.matcher(Files.readString(ROOT.resolve("CHANGELOG.md")));
        assertThat(release.find()).as("a release in CHANGELOG.md").isTrue();

        var named = new ArrayList<String>();
        for (Path page : pages()) {
            versions(Files.readString(page)).forEach(version -> named.add(ROOT.relativize(page) + ": " + version));
        }

        assertThat(named)
                .hasSizeGreaterThan(10)
                .anyMatch(version -> version.startsWith("README.md"))
                .allMatch(version -> version.endsWith(": " + release.group(1)));
    }

    @Test
    void versionIsFoundHoweverItIsWritten() {
        assertThat(versions("""
                <artifactId>refrain-bom</artifactId>
                <version>1.0.0</version>
                platform("dev.refrain:refrain-bom:1.0.1")
                tar -xzf refrain-1.0.2.tar.gz
                docker run owner/refrain:1.0.3
                refrain-1.0.4-linux-x64.tar.gz
                <artifactId>jackson-annotations</artifactId>
                <version>2.22</version>
                """)).containsExactly("1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4");
    }

    private static List<String> versions(String page) {
        return OURS.matcher(page)
                .results()
                .map((MatchResult found) -> found.group(1) == null ? found.group(2) : found.group(1))
                .toList();
    }

    private static List<Path> pages() throws IOException {
        var pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (var files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(ROOT.resolve("docs/decisions")))
                    .forEach(pages::add);
        }
        return pages;
    }
}
