package dev.refrain.gateway;

import dev.refrain.http.cases.EdgeTestHarness;
import dev.refrain.http.cases.EdgeTestSuite;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The table of every edge, unchanged, through the gateway in front of a service on Node's own server. */
@EnabledIfSystemProperty(named = "tests.foreign", matches = "true", disabledReason = "It needs node: -Pforeign")
class NodeCasesTest implements EdgeTestSuite {

    private final EdgeTestHarness stage =
            EdgeTestHarness.of(GatewayEdge.before("node", ForeignPrograms.path("service.js")));

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
