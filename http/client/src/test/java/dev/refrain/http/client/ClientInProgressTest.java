package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.http.servlet.ScopeResolver;
import dev.refrain.store.memory.MemoryStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Server that responds to a retry with 202 while the first attempt is running. */
@Timeout(30)
class ClientInProgressTest {

    private final CountDownLatch toldSo = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    /** Fails after a retry got the 202, and succeeds the next time. */
    private final class Work extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (runs.incrementAndGet() == 1) {
                try {
                    toldSo.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                response.setStatus(503);
            } else {
                response.setStatus(201);
            }
        }
    }

    @Test
    void runningResponseOfRefrainIsNotFinal() throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        var context = new ServletContextHandler("/");
        Filter watching = (request, response, chain) -> {
            chain.doFilter(request, response);
            if (((HttpServletResponse) response).getStatus() == 202) {
                toldSo.countDown();
            }
        };
        try (var refrain = Refrain.using(new MemoryStore())) {
            var filter = RefrainFilter.builder(refrain)
                    .scope(ScopeResolver.shared())
                    .route(
                            "POST /payments",
                            RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME))
                                    .run(run -> run.with(new InFlightPolicy.Async())))
                    .build();
            for (var each : new Filter[] {watching, filter}) {
                context.addFilter(new FilterHolder(each), "/*", EnumSet.of(DispatcherType.REQUEST));
            }
            context.addServlet(new ServletHolder(new Work()), "/");
            server.setHandler(context);
            server.start();
            var client = RefrainClient.builder()
                    .attemptTimeout(Duration.ofMillis(500))
                    .deadline(Duration.ofSeconds(20))
                    .build();
            var uri = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/payments");

            var answer = client.send(ResendableRequest.postJson(uri, "{}"));

            assertThat(answer.status()).isEqualTo(201);
            assertThat(runs).hasValue(2);
        } finally {
            server.stop();
        }
    }
}
