package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A test that is skipped says why in words of ours: JUnit's own name a property and its value, not how to run the test. */
class SkippedTestReasonTest {

    private static final Pattern CONDITION = Pattern.compile(
            "^ *@(?:Disabled(?!\\w)|(?:Enabled|Disabled)(?:If|On|For|In)\\w*)(?:\\((?<settings>[^()]*(?:\\([^()]*\\)[^()]*)*)\\))?",
            Pattern.MULTILINE);
    private static final Pattern REASON = Pattern.compile("disabledReason\\s*=\\s*\"[^\"]|^\\s*\"[^\"]");
    private static final Pattern ASSUMPTION_WITHOUT_REASON =
            Pattern.compile("\\bassume(?:True|False)\\((?:[^()\",]|\\([^()]*\\))*\\);");

    @Test
    void everySkippedTestSaysWhy() throws IOException {
        int conditions = 0;
        var found = new ArrayList<String>();
        for (var file : TestSources.files()) {
            if (file.endsWith("SkippedTestReasonTest.java")) {
                continue; // The examples below.
            }
            String code = Files.readString(file);
            conditions += (int) CONDITION.matcher(code).results().count();
            unexplained(code).forEach(hit -> found.add(file.getFileName() + ": " + hit));
        }
        assertThat(conditions).isGreaterThan(20);
        assertThat(found)
                .as("say why, and how to run it: disabledReason = \"takes longer: -Plong\"")
                .isEmpty();
    }

    @Test
    void conditionWithoutReasonIsDetected() {
        assertThat(unexplained("""
                @Disabled
                class A {}
                @EnabledIfSystemProperty(named = "tests.long", matches = "true")
                class B {}
                    @DisabledOnOs(OS.WINDOWS)
                    @Test
                    void nothing() {
                        assumeTrue(isThere(1));
                    }
                """)).hasSize(4);
        assertThat(unexplained("""
                @Disabled("mended with the next version")
                class A {}
                @EnabledIfSystemProperty(
                        named = "tests.long",
                        matches = "(?:true)",
                        disabledReason = "takes longer: -Plong")
                class B {
                    void nothing() {
                        assumeTrue(isThere(1), "nothing there");
                        assumeTrue(isThere(), MISSING);
                    }
                }
                """)).isEmpty();
    }

    private static List<String> unexplained(String code) {
        var found = new ArrayList<String>();
        CONDITION
                .matcher(code)
                .results()
                .filter(condition -> condition.group("settings") == null
                        || !REASON.matcher(condition.group("settings")).find())
                .forEach(condition -> found.add(condition.group().strip()));
        ASSUMPTION_WITHOUT_REASON.matcher(code).results().forEach(assumption -> found.add(assumption.group()));
        return found;
    }
}
