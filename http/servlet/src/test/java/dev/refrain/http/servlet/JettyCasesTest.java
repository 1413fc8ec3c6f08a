package dev.refrain.http.servlet;

import dev.refrain.http.cases.HttpCases;
import dev.refrain.http.cases.Stage;

class JettyCasesTest implements HttpCases {

    private final Stage stage = Stage.of(JettyEdge::start);

    @Override
    public Stage harness() {
        return stage;
    }
}
