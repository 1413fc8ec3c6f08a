package dev.refrain.internal.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import dev.refrain.store.Fingerprint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples in the comments, compiled and run; and that they are the ones in the comments. */
class JavadocExamplesTest {

    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "refrain");
    private static final Path THIS =
            Path.of("src", "test", "java", "dev", "refrain", "internal", "fingerprint", "JavadocExamplesTest.java");
    private static final Pattern SNIPPET =
            Pattern.compile("\\{@snippet :\\R(.*?)^ \\* }", Pattern.DOTALL | Pattern.MULTILINE);

    private final byte[] bytes = "{\"amount\":5}".getBytes(StandardCharsets.UTF_8);
    private final RequestContent request = RequestContent.json("payments.create", bytes);

    @Test
    void ofFingerprinterAndFingerprint() {
        byte[] secretOfThisYear = new byte[32];
        byte[] secretOfLastYear = new byte[32];

        RequestFingerprinter fingerprinter = RequestFingerprinter.builder()
                .secret("2026-01", secretOfThisYear)
                .previousSecret("2025-01", secretOfLastYear)
                .ignoredFields("/requestedAt", "/meta/trace")
                .build();
        Fingerprint fingerprint = fingerprinter.of(request);

        String recipeColumn = fingerprint.recipe();
        byte[] digestColumn = fingerprint.digest();

        Fingerprint recorded = Fingerprint.stored(recipeColumn, digestColumn);
        boolean sameRequest = fingerprinter.of(request, recorded.recipe()).matches(recorded);

        assertThat(sameRequest).isTrue();
    }

    @Test
    void ofRequest() {
        RequestContent overHttp =
                RequestContent.http("POST", "/payments", "dry=1", "application/json", RepeatableBody.of(bytes));
        RequestContent byName = RequestContent.json("payments.create", bytes);

        assertThat(overHttp.path()).isEqualTo("/payments");
        assertThat(byName.path()).isEqualTo("payments.create");
    }

    @Test
    void ofBody(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("upload"), bytes);

        RepeatableBody upload = RepeatableBody.stream(() -> Files.newInputStream(file), Files.size(file));

        assertThat(TestRequests.plain(RequestContent.http("POST", "/a", "", "application/json", upload)))
                .isEqualTo(TestRequests.plain(RequestContent.http("POST", "/a", "", "application/json", bytes)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"api/RepeatableBody", "store/Fingerprint", "RequestFingerprinter", "api/RequestContent"})
    void commentsShowWhatIsCompiledHere(String type) throws IOException {
        String compiled = withoutSpace(Files.readString(THIS));
        var snippets = SNIPPET.matcher(Files.readString(SOURCES.resolve(type + ".java")))
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(snippets).hasSize(1);
        String code = snippets.getFirst()
                .replaceAll("(?m)^ \\*", "")
                .replace("{@snippet :", "")
                .replaceFirst("}\\s*$", "");
        assertThat(compiled).contains(withoutSpace(code));
    }

    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }
}
