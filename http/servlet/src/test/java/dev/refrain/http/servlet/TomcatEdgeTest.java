package dev.refrain.http.servlet;

import dev.refrain.http.cases.AllEdgeTestCases;
import dev.refrain.http.cases.EdgeTestHarness;

class TomcatEdgeTest implements AllEdgeTestCases {

    private final EdgeTestHarness stage = EdgeTestHarness.of(TomcatEdge::start);

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
