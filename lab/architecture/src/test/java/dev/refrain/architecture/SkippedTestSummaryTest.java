package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of {@code ./mvnw verify} says what was skipped and how to run it. */
class SkippedTestSummaryTest {

    private static final String PROGRAM = "src/build/java/SkippedTestSummary.java";

    @TempDir
    private Path build;

    /** Modules are built side by side: only what this module depends on has certainly run its tests before the summary. */
    @Test
    void everyModuleWithTestsIsBuiltBeforeTheSummary() throws Exception {
        Map<String, PomFile> poms = new HashMap<>();
        for (String module : PomFile.of(".").modules()) {
            var pom = PomFile.of(module);
            if (pom.moduleName().isPresent()) {
                poms.put(pom.artifact(), pom);
            }
        }

        var before = new HashSet<String>();
        collect("refrain-architecture", poms, before);

        assertThat(before).hasSizeGreaterThan(20).containsAll(poms.keySet());
    }

    private static void collect(String artifact, Map<String, PomFile> poms, Set<String> found) throws Exception {
        if (poms.containsKey(artifact) && found.add(artifact)) {
            for (String dependency : poms.get(artifact).dependencies()) {
                collect(dependency, poms, found);
            }
        }
    }

    @Test
    void skippedTestIsNamedWithItsReasonAndThoseOfEarlierBuildsAreNot() throws Exception {
        report("TEST-now.xml", """
                <testsuite>
                  <testcase name="a" classname="shop.PaysTest"/>
                  <testcase name="b" classname="shop.AlertsTest">
                    <skipped message="System property [x] does not exist ==&gt; It needs promtool: -Palerts"/>
                  </testcase>
                  <testcase name="c" classname="shop.PageTest">
                    <skipped>org.opentest4j.TestAbortedException: Assumption failed: There is no browser.
                at shop.PageTest</skipped>
                  </testcase>
                </testsuite>
                """);
        var begin = Instant.now().minusSeconds(10);
        var old = report("TEST-before.xml", "<testsuite><testcase name=\"d\" classname=\"shop.OldTest\"/></testsuite>");
        Files.setLastModifiedTime(old, FileTime.from(begin.minusSeconds(60)));

        var lines = new JdkTool("java", build.resolve("out")).run(PROGRAM, build.toString(), begin.toString());

        assertThat(lines)
                .contains(
                        "Tests: 1 run, 2 skipped.",
                        "     1  It needs promtool: -Palerts  (AlertsTest)",
                        "     1  There is no browser.  (PageTest)")
                .anySatisfy(line -> assertThat(line).contains("-Plong", "-Pgrowth", "CONTRIBUTING.md"));
    }

    private Path report(String name, String xml) throws Exception {
        var folder = Files.createDirectories(build.resolve("module/target/surefire-reports"));
        return Files.write(folder.resolve(name), List.of(xml));
    }
}
