package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.refrain.console.PasswordHash;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsolePasswordCommandTest {

    @Test
    void hashIsAcceptedByTheConfiguration() {
        CommandResult ran = hashOf("correct horse battery\nsomething else\n");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .startsWith("pbkdf2-sha256:")
                .doesNotContain("horse")
                .hasLineCount(1);
        assertThatCode(() -> PasswordHash.parse(ran.out().strip())).doesNotThrowAnyException();
        assertThat(hashOf("correct horse battery\n").out()).isNotEqualTo(ran.out());
    }

    @Test
    void shortOrMissingPasswordIsRejected() {
        assertThat(hashOf("short\n").err()).contains("at least 12 characters").hasLineCount(1);
        assertThat(hashOf("").err()).isEqualToIgnoringNewLines("refrain: No password was given.");
    }

    @Test
    void missingTerminalIsReportedWithAdvice() {
        CommandResult ran = refrain("console", "password");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("without a terminal", "--stdin").hasLineCount(1);
    }

    private static CommandResult hashOf(String text) {
        var before = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        try {
            return refrain("console", "password", "--stdin");
        } finally {
            System.setIn(before);
        }
    }
}
