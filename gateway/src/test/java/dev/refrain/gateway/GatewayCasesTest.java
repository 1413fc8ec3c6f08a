package dev.refrain.gateway;

import dev.refrain.http.cases.EdgeTestHarness;
import dev.refrain.http.cases.EdgeTestSuite;

/** The table of every edge, unchanged, through the gateway in front of a service that knows nothing of keys. */
class GatewayCasesTest implements EdgeTestSuite {

    private final EdgeTestHarness stage = EdgeTestHarness.of(GatewayEdge::start);

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
