package dev.refrain.spring.webflux;

import dev.refrain.http.cases.BelowAPathCases;
import dev.refrain.http.cases.Stage;

/** WebFlux, in an application below a path. */
class WebFluxBelowAPathTest implements BelowAPathCases {

    private final Stage stage = Stage.of(
            (refrain, routes, handler) -> WebFluxCasesTest.start(refrain, routes, handler, BelowAPathCases.PATH));

    @Override
    public Stage harness() {
        return stage;
    }
}
