package dev.refrain.http.servlet;

import dev.refrain.http.cases.AllEdgeTestCases;
import dev.refrain.http.cases.EdgeTestHarness;

class JettyEdgeTest implements AllEdgeTestCases {

    private final EdgeTestHarness stage = EdgeTestHarness.of(JettyEdge::start);

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
