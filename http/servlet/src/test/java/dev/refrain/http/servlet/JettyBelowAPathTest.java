package dev.refrain.http.servlet;

import dev.refrain.http.cases.BelowAPathCases;
import dev.refrain.http.cases.Stage;

class JettyBelowAPathTest implements BelowAPathCases {

    private final Stage stage = Stage.of(JettyEdge::startBelowAPath);

    @Override
    public Stage harness() {
        return stage;
    }
}
