package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every jar has a module name that stays, for applications on the module path. */
class ModuleNameTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern NO_JAR = Pattern.compile("<packaging>(pom)</packaging>");
    private static final Pattern NAME =
            Pattern.compile("<refrain\\.module\\.name>(dev\\.refrain(?:\\.[a-z]+)+)</refrain\\.module\\.name>");

    @Test
    void everyModuleSaysItsNameAndNoTwoTheSame() throws IOException {
        var names = new TreeMap<String, String>();
        for (String module : found(MODULE, ROOT.resolve("pom.xml"))) {
            if (!found(NO_JAR, ROOT.resolve(module).resolve("pom.xml")).isEmpty()) {
                continue;
            }
            assertThat(found(NAME, ROOT.resolve(module).resolve("pom.xml")))
                    .as("refrain.module.name in the pom.xml of %s", module)
                    .hasSize(1)
                    .allSatisfy(name -> names.put(module, name));
        }
        // An application has one of the two starters, which have the same packages.
        assertThat(names.remove("spring/boot3")).isEqualTo(names.get("spring"));
        assertThat(names.values()).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    }

    @Test
    void nameIsWrittenIntoEveryManifest() throws IOException {
        assertThat(Files.readString(ROOT.resolve("pom.xml")))
                .contains("<Automatic-Module-Name>${refrain.module.name}</Automatic-Module-Name>");
        // Jars are here where they were packaged before this test, as `verify` does.
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.matches(".*[/\\\\]refrain-[^/\\\\]*\\.jar") && !entry.endsWith("-tests.jar")) {
                try (var jar = new JarFile(entry)) {
                    assertThat(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                            .as(entry)
                            .matches("dev\\.refrain(\\.[a-z]+)+");
                }
            }
        }
    }

    private static List<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
