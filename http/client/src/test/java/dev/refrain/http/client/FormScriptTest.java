package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The form script, run by Node with a simulated page. */
class FormScriptTest {

    private static final Path SCRIPT = Path.of("src/main/resources/META-INF/resources/refrain-form.js");

    @Test
    void scriptPassesItsTests() throws Exception {
        assumeTrue(isNodeThere(), "There is no node on the PATH to run src/test/js with.");

        var node = new ProcessBuilder("node", "--test", "src/test/js/refrain-form.test.mjs")
                .redirectErrorStream(true)
                .start();
        var output = new String(node.getInputStream().readAllBytes());

        assertThat(node.waitFor()).as(output).isZero();
        assertThat(output).contains("# fail 0").doesNotContain("# pass 0\n");
    }

    @Test
    void scriptIsInTheResourcesOfTheJar() {
        assertThat(RefrainClient.class.getResource("/META-INF/resources/refrain-form.js"))
                .isNotNull();
        assertThat(SCRIPT).content().doesNotContain("import ", "require(", "http://", "https://");
    }

    private static boolean isNodeThere() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "node")));
    }
}
