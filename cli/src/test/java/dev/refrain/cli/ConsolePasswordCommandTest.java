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
    void theHashIsWhatAConfigurationWants() {
        CommandResult ran = given("correct horse battery\nsomething else\n");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .startsWith("pbkdf2-sha256:")
                .doesNotContain("horse")
                .hasLineCount(1);
        assertThatCode(() -> PasswordHash.parse(ran.out().strip())).doesNotThrowAnyException();
        assertThat(given("correct horse battery\n").out()).isNotEqualTo(ran.out());
    }

    @Test
    void aShortPasswordOrNoneIsRefused() {
        assertThat(given("short\n").err()).contains("less than 12 characters").hasLineCount(1);
        assertThat(given("").err()).isEqualToIgnoringNewLines("refrain: No password was given.");
    }

    @Test
    void withoutATerminalItSaysWhatToDo() {
        CommandResult ran = refrain("console", "password");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("no terminal", "--stdin").hasLineCount(1);
    }

    private static CommandResult given(String text) {
        var before = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        try {
            return refrain("console", "password", "--stdin");
        } finally {
            System.setIn(before);
        }
    }
}
