package dev.refrain.gateway;

import dev.refrain.http.cases.EdgeTestHarness;
import dev.refrain.http.cases.EdgeTestSuite;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The table of every edge, unchanged, through the gateway in front of a service on Python's own server. */
@EnabledIfSystemProperty(named = "tests.foreign", matches = "true", disabledReason = "It needs python3: -Pforeign")
class PythonCasesTest implements EdgeTestSuite {

    private final EdgeTestHarness stage =
            EdgeTestHarness.of(GatewayEdge.before("python3", ForeignPrograms.path("service.py")));

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
