package dev.refrain.gateway.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsoleSettingsTest {

    /** Hash as the command makes it, with few rounds. */
    private static final String HASH = "pbkdf2-sha256:1000:AAAA:AAAA";

    private static GatewayConfig read(String console) {
        return new GatewayConfigReader(CommandLineOverrides.NONE, Map.of())
                .read("gateway:\n  upstream: http://localhost:3000\n  scope: shared\n" + console);
    }

    @Test
    void consoleIsOffByDefault() {
        assertThat(read("").startup().console()).isEmpty();
    }

    @Test
    void consoleListensOnLoopbackByDefault() {
        var usual = read("  console: {password-hash: '" + HASH + "'}");
        assertThat(usual.startup().console().map(ConsoleSettings::address))
                .contains(new ListenAddress("127.0.0.1", 9091));
        assertThat(usual.warnings()).noneMatch(remark -> remark.contains("console"));
        var open = read("  console: {listen: '0.0.0.0:9000', password-hash: '" + HASH + "'}");
        assertThat(open.startup().console().map(ConsoleSettings::address)).contains(new ListenAddress("0.0.0.0", 9000));
        assertThat(open.warnings()).anyMatch(remark -> remark.contains("console on 0.0.0.0:9000 has no TLS"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "console: {} | gateway.console.password-hash is not set",
                "console: {listen: 9091} | gateway.console.password-hash is not set",
                "console: {password-hash: secret} | gateway.console.password-hash is not a password hash",
                "console: {password-hash: 'pbkdf2-sha256:1000:AAAA:AAAA', listen: here} | gateway.console.listen is 'here'",
                "console: {password: secret} | gateway.console.password is not a setting. There are: listen, password-hash.",
                "console: true | gateway.console has the wrong type"
            })
    void wrongSettingIsNamedByItsPathWithoutSecrets(String line, String told) {
        assertThatThrownBy(() -> read("  " + line.strip() + "\n"))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining(told.strip())
                .satisfies(wrong -> assertThat(wrong.getMessage()).doesNotContain("secret"));
    }

    @Test
    void consoleSettingsCannotChangeWhileTheGatewayRuns() {
        var with = read("  console: {password-hash: '" + HASH + "'}").startup();
        assertThat(with.hasSameSettings(read("").startup())).isFalse();
        assertThat(with.hasSameSettings(
                        read("  console: {password-hash: '" + HASH + "'}").startup()))
                .isTrue();
        assertThat(Optional.of(with.toString()))
                .hasValueSatisfying(text -> assertThat(text).doesNotContain(HASH));
    }
}
