package dev.refrain.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bundle that Maven Central would refuse, or that breaks what users compiled against the last release unseen, is not built. */
class ReleaseBundleCheckTest {

    private static final String PROGRAM = "../release/src/build/java/ReleaseBundleCheck.java";

    @TempDir
    private static Path program;

    @TempDir
    private Path folder;

    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    @BeforeAll
    static void compile() throws Exception {
        new JdkTool("javac", program.resolve("out")).run("-d", program.toString(), PROGRAM);
    }

    @Test
    void firstReleaseNeedsNoBaseline() throws Exception {
        bundle("0.1.0");

        assertThat(check("baseline=", "newer=", "publish=false")).isZero();
        assertThat(output()).contains("not checked, there is no earlier release");
    }

    @Test
    void laterReleaseWithoutBaselineIsRefused() throws Exception {
        bundle("0.2.0");

        assertThat(check("baseline=", "newer=", "publish=false")).isEqualTo(1);
        assertThat(output()).contains("version 0.2.0 was compared with no earlier release", "-Drefrain.baseline=");
    }

    @Test
    void releaseComparedWithItselfIsRefused() throws Exception {
        bundle("0.2.0");

        assertThat(check("baseline=0.2.0", "newer=", "publish=false")).isEqualTo(1);
        assertThat(output()).contains("was compared with itself");
    }

    /** The comparison itself passes where it finds no such release, and reports every type as new. */
    @Test
    void releaseWhoseBaselineWasNotFoundIsRefused() throws Exception {
        bundle("0.2.0");
        assertThat(check("baseline=0.1.0", "newer=", "publish=false")).isEqualTo(1);
        assertThat(output()).contains("refrain-core was not compared with 0.1.0");
        assertThat(check("baseline=0.1.0", "newer=refrain-core", "publish=false"))
                .as("a module that 0.1.0 did not have")
                .isZero();

        var report = folder.resolve("core/target/japicmp/api-compatibility.diff");
        Files.createDirectories(report.getParent());
        Files.writeString(
                report, "Comparing source compatibility of core/target/refrain-core-0.2.0.jar against \n+++ NEW CLASS");
        assertThat(check("baseline=0.1.0", "newer=", "publish=false"))
                .as("a report of nothing")
                .isEqualTo(1);
        Files.writeString(
                report,
                "Comparing source compatibility of core/target/refrain-core-0.2.0.jar against repository/refrain-core-0.1.0.jar\nNo changes.");
        assertThat(check("baseline=0.1.0", "newer=", "publish=false"))
                .as(output())
                .isZero();

        Files.setLastModifiedTime(report, FileTime.fromMillis(0));
        assertThat(check("baseline=0.1.0", "newer=", "publish=false"))
                .as("a report of an earlier build")
                .isEqualTo(1);
    }

    @Test
    void everyModuleOfTheBomIsCompared() throws Exception {
        bundle("0.2.0", "refrain-core", "refrain-flow");
        compared("refrain-core");
        assertThat(check("baseline=0.1.0", "newer=", "publish=false")).isEqualTo(1);
        assertThat(output())
                .contains("refrain-flow was not compared with 0.1.0", "refrain.baseline.newer")
                .doesNotContain("refrain-core was not");

        compared("refrain-flow");
        assertThat(check("baseline=0.1.0", "newer=", "publish=false"))
                .as(output())
                .isZero();
    }

    private void compared(String artifact) throws IOException {
        var target = folder.resolve(artifact.replace("refrain-", "")).resolve("target");
        Files.createDirectories(target.resolve("japicmp"));
        Files.writeString(
                target.resolve("japicmp/api-compatibility.diff"),
                "Comparing source compatibility of " + artifact + "-0.2.0.jar against repository/" + artifact
                        + "-0.1.0.jar\nNo changes.");
    }

    @Test
    void unsignedBundleIsNotPublished() throws Exception {
        bundle("0.1.0");
        assertThat(check("baseline=", "newer=", "publish=true")).isEqualTo(1);
        assertThat(output()).contains("nothing is signed", "MAVEN_GPG_KEY");

        for (String file : List.copyOf(entries.keySet())) {
            if (file.matches(".*\\.(pom|jar|json)")) {
                entries.put(file + ".asc", new byte[] {1});
            }
        }
        assertThat(check("baseline=", "newer=", "publish=true")).as(output()).isZero();
    }

    @Test
    void fileThatIsNoArtifactOfTheBomIsRefused() throws Exception {
        bundle("0.1.0");
        entries.put("dev/refrain/refrain-trials/0.1.0/refrain-trials-0.1.0.jar", new byte[0]);

        assertThat(check("baseline=", "newer=", "publish=false")).isEqualTo(1);
        assertThat(output()).contains("refrain-trials-0.1.0.jar is not an artifact of the BOM");
    }

    @Test
    void missingSourcesAndWrongChecksumsAreRefused() throws Exception {
        bundle("0.1.0");
        entries.remove("dev/refrain/refrain-core/0.1.0/refrain-core-0.1.0-sources.jar");
        entries.put("dev/refrain/refrain-core/0.1.0/refrain-core-0.1.0.jar.sha256", new byte[64]);

        assertThat(check("baseline=", "newer=", "publish=false")).isEqualTo(1);
        assertThat(output())
                .contains("refrain-core-0.1.0-sources.jar is missing", "does not have the checksum of its .sha256");
    }

    private int check(String... options) throws Exception {
        var zip = folder.resolve("bundle.zip");
        try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (var entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
            }
        }
        return new JdkTool("java", folder.resolve("out"))
                .exitCode(List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        program.toString(),
                        "ReleaseBundleCheck",
                        zip.toString(),
                        folder.toString(),
                        "target",
                        options[0],
                        options[1],
                        options[2]));
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("out"));
    }

    private void bundle(String version) throws Exception {
        bundle(version, "refrain-core");
    }

    /** A bundle of the BOM and these, with nothing to object to but that it is unsigned, and the tree that it was built of. */
    private void bundle(String version, String... artifacts) throws Exception {
        var listed = new StringBuilder();
        var modules = new StringBuilder();
        for (String artifact : artifacts) {
            listed.append("<dependency><groupId>dev.refrain</groupId><artifactId>" + artifact + "</artifactId><version>"
                    + version + "</version></dependency>");
            byte[] jar = jar(
                    "META-INF/MANIFEST.MF",
                    "Manifest-Version: 1.0\nAutomatic-Module-Name: dev.refrain\n\n",
                    "dev/refrain/Refrain.class",
                    "");
            file(artifact, version, ".pom", pom(""));
            file(artifact, version, ".jar", jar);
            file(artifact, version, "-sources.jar", jar("dev/refrain/Refrain.java", ""));
            file(artifact, version, "-javadoc.jar", jar("index.html", ""));
            file(artifact, version, "-cyclonedx.json", "{}".getBytes(UTF_8));
            var module = folder.resolve(artifact.replace("refrain-", ""));
            Files.createDirectories(module.resolve("target"));
            Files.write(module.resolve("target").resolve(artifact + "-" + version + ".jar"), jar);
            Files.writeString(
                    module.resolve("pom.xml"), "<project><artifactId>" + artifact + "</artifactId></project>");
            modules.append("<module>" + module.getFileName() + "</module>");
        }
        file(
                "refrain-bom",
                version,
                ".pom",
                pom("<dependencyManagement><dependencies>" + listed + "</dependencies></dependencyManagement>"));
        Files.writeString(folder.resolve("pom.xml"), "<project><modules>" + modules + "</modules></project>");
    }

    private static byte[] pom(String more) {
        return ("<project><name>a</name><description>b</description><url>c</url><licenses><license><name>d</name><url>e</url></license></licenses>"
                        + "<developers><developer><name>f</name></developer></developers>"
                        + "<scm><connection>g</connection><developerConnection>h</developerConnection><url>i</url></scm>"
                        + more + "</project>")
                .getBytes(UTF_8);
    }

    private static byte[] jar(String... namesAndTexts) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ZipOutputStream(bytes)) {
            for (int i = 0; i < namesAndTexts.length; i += 2) {
                out.putNextEntry(new ZipEntry(namesAndTexts[i]));
                out.write(namesAndTexts[i + 1].getBytes(UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    private void file(String artifact, String version, String suffix, byte[] content) throws Exception {
        String path = "dev/refrain/" + artifact + "/" + version + "/" + artifact + "-" + version + suffix;
        entries.put(path, content);
        for (var sum : Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512")
                .entrySet()) {
            String hex = HexFormat.of()
                    .formatHex(MessageDigest.getInstance(sum.getValue()).digest(content));
            entries.put(path + "." + sum.getKey(), hex.getBytes(UTF_8));
        }
    }
}
