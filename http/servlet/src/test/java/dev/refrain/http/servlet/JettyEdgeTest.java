package dev.refrain.http.servlet;

import dev.refrain.http.cases.EdgeTestHarness;
import dev.refrain.http.cases.EdgeTestSuite;

class JettyEdgeTest implements EdgeTestSuite {

    private final EdgeTestHarness stage = EdgeTestHarness.of(JettyEdge::start);

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
