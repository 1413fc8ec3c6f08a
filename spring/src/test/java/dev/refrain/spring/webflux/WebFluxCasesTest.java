package dev.refrain.spring.webflux;

import dev.refrain.Refrain;
import dev.refrain.http.cases.Edge;
import dev.refrain.http.cases.Handler;
import dev.refrain.http.cases.HttpCases;
import dev.refrain.http.cases.Stage;
import dev.refrain.http.cases.Way;
import dev.refrain.http.policy.Route;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.springframework.context.support.GenericApplicationContext;
import reactor.core.publisher.Mono;

/** All cases through WebFlux on Reactor Netty. There is no dispatch back to a container, so that one way is left out. */
class WebFluxCasesTest implements HttpCases {

    private final Stage stage = Stage.of(WebFluxCasesTest::start);

    @Override
    public Stage harness() {
        return stage;
    }

    private static Edge start(Refrain refrain, List<Route> routes, Handler handler) {
        return start(refrain, routes, handler, "");
    }

    static Edge start(Refrain refrain, List<Route> routes, Handler handler, String path) {
        var server = ReactiveServer.start(
                beans -> {
                    beans.registerBean(Refrain.class, () -> refrain, definition -> definition.setDestroyMethodName(""));
                    beans.registerBean(Handler.class, () -> handler);
                    beans.registerBean(
                            ReactiveScopeResolver.class,
                            () -> exchange -> Mono.justOrEmpty(
                                    exchange.getRequest().getHeaders().getFirst("X-User")));
                    register(beans, routes);
                },
                ReactiveCasesController.class,
                "--spring.webflux.base-path=" + path);
        return new Edge() {
            @Override
            public int port() {
                return server.port();
            }

            @Override
            public Set<Way> supportedStyles() {
                return EnumSet.complementOf(EnumSet.of(Way.ASYNC_DISPATCH));
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
