package dev.refrain.gateway;

import dev.refrain.http.cases.HttpCases;
import dev.refrain.http.cases.Stage;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The table of every edge, unchanged, through the gateway in front of a service on Node's own server. */
@EnabledIfSystemProperty(named = "refrain.foreign", matches = "true", disabledReason = "It needs node: -Pforeign")
class NodeCasesTest implements HttpCases {

    private final Stage stage = Stage.of(GatewayEdge.before("node", Programs.path("service.js")));

    @Override
    public Stage harness() {
        return stage;
    }
}
