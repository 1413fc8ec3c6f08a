package dev.refrain.http.servlet;

import dev.refrain.http.cases.HttpCases;
import dev.refrain.http.cases.Stage;

class TomcatCasesTest implements HttpCases {

    private final Stage stage = Stage.of(TomcatEdge::start);

    @Override
    public Stage harness() {
        return stage;
    }
}
