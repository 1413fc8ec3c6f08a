package dev.refrain.spring;

import dev.refrain.Refrain;
import dev.refrain.http.Route;
import dev.refrain.http.cases.EdgeTestHarness;
import dev.refrain.http.cases.EdgeTestSuite;
import dev.refrain.http.cases.EdgeUnderTest;
import dev.refrain.http.cases.HandlerResponseStyle;
import dev.refrain.http.cases.TestHandler;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.servlet.ScopeResolver;
import dev.refrain.spring.internal.boot.BootNames;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

/** All cases through Spring MVC. */
class SpringMvcEdgeTest implements EdgeTestSuite {

    private final EdgeTestHarness stage =
            EdgeTestHarness.of((refrain, routes, handler) -> start(OnTomcat.class, refrain, routes, handler, ""));

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(TestHandlerController.class)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class OnTomcat {

        /** Otherwise Tomcat says "100 Continue" before any filter has seen the request. */
        @Bean
        BootParts.Tomcat tomcat() {
            var tomcat = new BootParts.Tomcat();
            tomcat.addConnectorCustomizers(connector -> connector.setProperty("continueResponseTiming", "onRead"));
            return tomcat;
        }
    }

    static EdgeUnderTest start(
            Class<?> container, Refrain refrain, List<Route> routes, TestHandler handler, String path) {
        var application = new SpringApplication(Application.class, container);
        application.addInitializers(context -> {
            var beans = (GenericApplicationContext) context;
            beans.registerBean(Refrain.class, () -> refrain, definition -> definition.setDestroyMethodName(""));
            beans.registerBean(TestHandler.class, () -> handler);
            beans.registerBean(ScopeResolver.class, () -> request -> Optional.ofNullable(request.getHeader("X-User")));
            for (int i = 0; i < routes.size(); i++) {
                var route = routes.get(i);
                beans.registerBean("route" + i, Route.class, () -> route);
            }
        });
        var context = application.run(
                "--server.port=0",
                "--server.servlet.context-path=" + path,
                "--server.address=127.0.0.1",
                "--server.tomcat.max-swallow-size=-1",
                "--spring.main.banner-mode=off",
                "--spring.autoconfigure.exclude=" + BootNames.DATA_SOURCE,
                "--logging.level.root=error");
        return new EdgeUnderTest() {
            @Override
            public int port() {
                return ServerPort.of(context);
            }

            @Override
            public BufferBudget budget() {
                return context.getBean(BufferBudget.class);
            }

            @Override
            public Set<HandlerResponseStyle> supportedStyles() {
                return EnumSet.allOf(HandlerResponseStyle.class);
            }

            @Override
            public void close() {
                context.close();
            }
        };
    }
}
