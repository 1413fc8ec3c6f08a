package dev.refrain.spring.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentVariableCheckTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REFRAIN_ENCRYPTION_KEY",
                "REFRAIN_HTTP_RETENTOIN",
                "REFRAIN_ROUTES_CHARGES_RETENTOIN",
                "REFRAIN_STORES_MONEY_DATASOURC",
                "REFRAIN_STOER"
            })
    void variableThatIsNoSettingIsWarnedOf(String name) {
        assertThat(EnvironmentVariableCheck.warnings(List.of("PATH", name)))
                .singleElement()
                .asString()
                .contains(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REFRAIN_ENABLED",
                "REFRAIN_ENCRYPTION_KEYS",
                "REFRAIN_HTTP_STORETIMEOUT",
                "REFRAIN_HTTP_STORE_TIMEOUT",
                "REFRAIN_HTTP_KEYSOURCES_0",
                "REFRAIN_ROUTES_CHARGES_RETENTION",
                "REFRAIN_STORES_MONEY_DATASOURCE",
                "REFRAIN_STORE_URL",
                "REFRAIN_CLI_STORE",
                "REFRAIN_JAVA_OPTS",
                "REFRAIN_GATEWAY_SERVICE_HOST",
                "REFRAIN_GATEWAY_PORT_8080_TCP_ADDR",
                "HOME"
            })
    void settingsAndVariablesOfOthersAreNot(String name) {
        assertThat(EnvironmentVariableCheck.warnings(List.of(name))).isEmpty();
    }

    @Test
    void eachIsWarnedOf() {
        assertThat(EnvironmentVariableCheck.warnings(List.of("REFRAIN_B", "REFRAIN_A")))
                .satisfiesExactly(
                        first -> assertThat(first).contains("REFRAIN_A "),
                        second -> assertThat(second).contains("REFRAIN_B "));
    }
}
