package dev.refrain.spring;

import dev.refrain.http.cases.EdgeTestHarness;
import dev.refrain.http.cases.EdgeTestSuite;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** All cases through Spring MVC, on Jetty. */
class SpringMvcJettyEdgeTest implements EdgeTestSuite {

    private final EdgeTestHarness stage = EdgeTestHarness.of(
            (refrain, routes, handler) -> SpringMvcEdgeTest.start(OnJetty.class, refrain, routes, handler, ""));

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }

    @Configuration(proxyBeanMethods = false)
    static class OnJetty {
        @Bean
        BootParts.Jetty jetty() {
            return new BootParts.Jetty();
        }
    }
}
