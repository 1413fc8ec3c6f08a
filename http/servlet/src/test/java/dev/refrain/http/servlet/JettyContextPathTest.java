package dev.refrain.http.servlet;

import dev.refrain.http.cases.ContextPathTestCases;
import dev.refrain.http.cases.EdgeTestHarness;

class JettyContextPathTest implements ContextPathTestCases {

    private final EdgeTestHarness stage = EdgeTestHarness.of(JettyEdge::startBelowAPath);

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
