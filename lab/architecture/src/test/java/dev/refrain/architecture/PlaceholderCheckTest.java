package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No release names an address that nobody owns, and {@code .ci/set-repository} replaces all of them. */
class PlaceholderCheckTest {

    private static final Path ROOT = Path.of("../..");
    private static final String PROGRAM = "../release/src/build/java/PlaceholderCheck.java";

    @TempDir
    private Path folder;

    @Test
    void releaseWithPlaceholderIsRefusedWithItsPlace() throws Exception {
        var tree = treeWith("<refrain.repository>forge.invalid/owner/refrain</refrain.repository>");

        assertThat(check(tree, "0.1.0", "publish=true")).isEqualTo(1);
        assertThat(output())
                .contains("Placeholder: pom.xml:2")
                .anySatisfy(line -> assertThat(line)
                        .contains(
                                "Version 0.1.0",
                                ".ci/set-repository",
                                "CONTRIBUTING.md",
                                "-Drefrain.release.publish=true"));
        assertThat(check(treeWith("registry.invalid/owner/refrain:0.1.0"), "0.1.0", "publish=true"))
                .isEqualTo(1);
        assertThat(check(treeWith("PLACEHOLDER"), "0.1.0", "publish=true")).isEqualTo(1);
    }

    @Test
    void bundlesThatAreNotPublishedAreOnlyToldOfPlaceholders() throws Exception {
        var tree = treeWith("<refrain.repository>forge.invalid/owner/refrain</refrain.repository>");

        assertThat(check(tree, "0.1.0", "publish=false")).isZero();
        assertThat(output()).anySatisfy(line -> assertThat(line).contains("before a release is published: 1 lines"));
        assertThat(check(tree, "0.1.0")).isZero();
    }

    @Test
    void releaseOfThisTreeIsAcceptedOnceItsRepositoryIsSet() throws Exception {
        var tree = Files.createDirectories(folder.resolve("tree"));
        var files = filesWithAddresses();
        for (Path file : files) {
            var copy = tree.resolve(ROOT.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }

        setRepository(tree.resolve(".ci/set-repository"));
        // What only a maintainer can write: how soon a report is answered.
        var security = tree.resolve("SECURITY.md");
        Files.writeString(security, Files.readString(security).replace("PLACEHOLDER", "three days"));

        assertThat(check(tree, "0.1.0", "publish=true")).as("%s", output()).isZero();
        assertThat(output()).isEmpty();
        for (Path file : files) {
            if (!file.endsWith("set-repository")) {
                assertThat(tree.resolve(ROOT.relativize(file)))
                        .content()
                        .doesNotContain("forge.invalid", "registry.invalid");
            }
        }
    }

    private Path treeWith(String line) throws IOException {
        var tree = Files.createDirectories(folder.resolve("planted"));
        Files.write(tree.resolve("pom.xml"), List.of("<properties>", line, "</properties>"));
        return tree;
    }

    /** Pages, POMs, workflows and what is installed: wherever an address of the project may stand. */
    private static List<Path> filesWithAddresses() throws IOException {
        var found = new ArrayList<Path>();
        for (String place :
                List.of(".ci", ".github", "docs", "dist/src", "dist/pom.xml", "lab/packager/src", "pom.xml")) {
            try (var files = Files.walk(ROOT.resolve(place))) {
                files.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().endsWith(".png"))
                        .forEach(found::add);
            }
        }
        try (var pages = Files.newDirectoryStream(ROOT, "*.md")) {
            pages.forEach(found::add);
        }
        return found;
    }

    private int check(Path tree, String... version) throws Exception {
        var arguments = new ArrayList<>(List.of(PROGRAM, tree.toString()));
        arguments.addAll(List.of(version));
        return new JdkTool("java", folder.resolve("out")).exitCode(arguments);
    }

    private List<String> output() throws IOException {
        return Files.readAllLines(folder.resolve("out"));
    }

    private void setRepository(Path script) throws Exception {
        var process = new ProcessBuilder(
                        "bash", script.toString(), "forge.example/acme/refrain", "images.example/acme/refrain")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("script").toFile())
                .start();
        assertThat(process.waitFor())
                .as(() -> "see " + folder.resolve("script"))
                .isZero();
    }
}
