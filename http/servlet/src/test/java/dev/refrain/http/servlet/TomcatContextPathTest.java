package dev.refrain.http.servlet;

import dev.refrain.http.cases.ContextPathTestCases;
import dev.refrain.http.cases.EdgeTestHarness;

class TomcatContextPathTest implements ContextPathTestCases {

    private final EdgeTestHarness stage = EdgeTestHarness.of(TomcatEdge::startBelowAPath);

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
