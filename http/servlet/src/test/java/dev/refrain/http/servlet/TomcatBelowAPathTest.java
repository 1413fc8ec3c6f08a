package dev.refrain.http.servlet;

import dev.refrain.http.cases.BelowAPathCases;
import dev.refrain.http.cases.Stage;

class TomcatBelowAPathTest implements BelowAPathCases {

    private final Stage stage = Stage.of(TomcatEdge::startBelowAPath);

    @Override
    public Stage harness() {
        return stage;
    }
}
