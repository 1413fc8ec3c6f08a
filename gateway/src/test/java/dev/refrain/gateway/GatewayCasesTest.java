package dev.refrain.gateway;

import dev.refrain.http.cases.HttpCases;
import dev.refrain.http.cases.Stage;

/** The table of every edge, unchanged, through the gateway in front of a service that knows nothing of keys. */
class GatewayCasesTest implements HttpCases {

    private final Stage stage = Stage.of(GatewayEdge::start);

    @Override
    public Stage harness() {
        return stage;
    }
}
