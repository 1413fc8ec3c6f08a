package dev.refrain.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The name of a test begins with its subject: no article, and no pronoun whose noun the reader has to guess. */
class TestNamesTest {

    private static final Pattern TEST_METHOD = Pattern.compile(
            "^ *@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b.*?\\b(?:void|Stream<[^;(]*>|Collection<[^;(]*>) (\\w+)\\(",
            Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern WITHOUT_SUBJECT =
            Pattern.compile("(?:an?|the|who|whoever|whom|whose|what|whatever|it|its|they)(?![a-z]).*");

    @Test
    void everyTestNameBeginsWithItsSubject() throws IOException {
        var names = new ArrayList<String>();
        var found = new ArrayList<String>();
        for (var file : TestSources.files()) {
            for (String name : testNames(Files.readString(file))) {
                names.add(name);
                if (isWithoutSubject(name)) {
                    found.add(file.getFileName() + ": " + name);
                }
            }
        }
        assertThat(names).hasSizeGreaterThan(2_000);
        assertThat(found)
                .as("name the subject first, as in retryReplaysTheOutcome")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "aRetryReplays, true",
        "anErrorIsKept, true",
        "theStoreIsAway, true",
        "whoeverLosesIsTold, true",
        "whatRunsDoesNotExpire, true",
        "itIsBounded, true",
        "it, true",
        "answerIsKept, false",
        "anotherKeyRuns, false",
        "theirLedgerIsRead, false",
        "itemsAreSorted, false",
        "waiterTimesOut, false"
    })
    void nameWithoutASubjectIsDetected(String name, boolean withoutSubject) {
        assertThat(isWithoutSubject(name)).isEqualTo(withoutSubject);
    }

    @Test
    void annotationsBetweenTestAndMethodAreSkipped() {
        assertThat(testNames("""
                    @ParameterizedTest
                    @ValueSource(strings = {"{a;b}", "void"})
                    default void keyIsRefused(String key) {
                        @Testing void helper() {}
                    }

                    private void aHelper() {}

                    @Test
                    void retryReplays() {}
                """)).containsExactly("keyIsRefused", "retryReplays");
    }

    private static boolean isWithoutSubject(String name) {
        return WITHOUT_SUBJECT.matcher(name).matches();
    }

    private static List<String> testNames(String code) {
        return TEST_METHOD
                .matcher(code)
                .results()
                .map(method -> method.group(1))
                .toList();
    }
}
