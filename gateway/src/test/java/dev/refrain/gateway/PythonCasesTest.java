package dev.refrain.gateway;

import dev.refrain.http.cases.HttpCases;
import dev.refrain.http.cases.Stage;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The table of every edge, unchanged, through the gateway in front of a service on Python's own server. */
@EnabledIfSystemProperty(named = "refrain.foreign", matches = "true", disabledReason = "It needs python3: -Pforeign")
class PythonCasesTest implements HttpCases {

    private final Stage stage = Stage.of(GatewayEdge.before("python3", Programs.path("service.py")));

    @Override
    public Stage harness() {
        return stage;
    }
}
