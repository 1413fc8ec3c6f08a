package dev.refrain.spring;

import dev.refrain.http.cases.HttpCases;
import dev.refrain.http.cases.Stage;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** All cases through Spring MVC, on Jetty. */
class SpringMvcOnJettyCasesTest implements HttpCases {

    private final Stage stage = Stage.of(
            (refrain, routes, handler) -> SpringMvcCasesTest.start(OnJetty.class, refrain, routes, handler, ""));

    @Override
    public Stage harness() {
        return stage;
    }

    @Configuration(proxyBeanMethods = false)
    static class OnJetty {
        @Bean
        JettyServletWebServerFactory jetty() {
            return new JettyServletWebServerFactory();
        }
    }
}
