package dev.refrain.spring;

import dev.refrain.http.cases.BelowAPathCases;
import dev.refrain.http.cases.Stage;

/** Spring MVC, in an application below a path. */
class SpringMvcBelowAPathTest implements BelowAPathCases {

    private final Stage stage = Stage.of((refrain, routes, handler) -> SpringMvcCasesTest.start(
            SpringMvcCasesTest.OnTomcat.class, refrain, routes, handler, BelowAPathCases.PATH));

    @Override
    public Stage harness() {
        return stage;
    }
}
