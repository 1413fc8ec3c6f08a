package dev.refrain.http.servlet;

import dev.refrain.http.cases.EdgeTestHarness;
import dev.refrain.http.cases.EdgeTestSuite;

class TomcatEdgeTest implements EdgeTestSuite {

    private final EdgeTestHarness stage = EdgeTestHarness.of(TomcatEdge::start);

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
