package dev.refrain.spring.webflux;

import dev.refrain.Refrain;
import dev.refrain.http.Route;
import dev.refrain.http.cases.EdgeTestHarness;
import dev.refrain.http.cases.EdgeTestSuite;
import dev.refrain.http.cases.EdgeUnderTest;
import dev.refrain.http.cases.HandlerResponseStyle;
import dev.refrain.http.cases.TestHandler;
import dev.refrain.http.edge.BufferBudget;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.springframework.context.support.GenericApplicationContext;
import reactor.core.publisher.Mono;

/** All cases through WebFlux on Reactor Netty. There is no dispatch back to a container, so that one way is left out. */
class WebFluxEdgeTest implements EdgeTestSuite {

    private final EdgeTestHarness stage = EdgeTestHarness.of(WebFluxEdgeTest::start);

    @Override
    public EdgeTestHarness harness() {
        return stage;
    }

    private static EdgeUnderTest start(Refrain refrain, List<Route> routes, TestHandler handler) {
        return start(refrain, routes, handler, "");
    }

    static EdgeUnderTest start(Refrain refrain, List<Route> routes, TestHandler handler, String path) {
        var server = ReactiveTestServer.start(
                beans -> {
                    beans.registerBean(Refrain.class, () -> refrain, definition -> definition.setDestroyMethodName(""));
                    beans.registerBean(TestHandler.class, () -> handler);
                    beans.registerBean(
                            ReactiveScopeResolver.class,
                            () -> exchange -> Mono.justOrEmpty(
                                    exchange.getRequest().getHeaders().getFirst("X-User")));
                    register(beans, routes);
                },
                ReactiveTestHandlerController.class,
                "--spring.webflux.base-path=" + path);
        return new EdgeUnderTest() {
            @Override
            public int port() {
                return server.port();
            }

            @Override
            public BufferBudget budget() {
                return server.context().getBean(BufferBudget.class);
            }

            @Override
            public Set<HandlerResponseStyle> supportedStyles() {
                return EnumSet.complementOf(EnumSet.of(HandlerResponseStyle.ASYNC_DISPATCH));
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    private static void register(GenericApplicationContext beans, List<Route> routes) {
        for (int i = 0; i < routes.size(); i++) {
            var route = routes.get(i);
            beans.registerBean("route" + i, Route.class, () -> route);
        }
    }
}
