package dev.refrain.spring.webflux;

import dev.refrain.http.cases.ContextPathTestCases;
import dev.refrain.http.cases.EdgeTestHarness;

/** WebFlux, in an application below a path. */
class WebFluxContextPathTest implements ContextPathTestCases {

    private final EdgeTestHarness stage = EdgeTestHarness.of(
            (refrain, routes, handler) -> WebFluxEdgeTest.start(refrain, routes, handler, ContextPathTestCases.PATH));

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
