package dev.refrain.spring;

import dev.refrain.http.cases.ContextPathTestCases;
import dev.refrain.http.cases.EdgeTestHarness;

/** Spring MVC, in an application below a path. */
class SpringMvcContextPathTest implements ContextPathTestCases {

    private final EdgeTestHarness stage = EdgeTestHarness.of((refrain, routes, handler) -> SpringMvcEdgeTest.start(
            SpringMvcEdgeTest.OnTomcat.class, refrain, routes, handler, ContextPathTestCases.PATH));

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }
}
