package dev.refrain.http.client;

import dev.refrain.Refrain;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySource;
import dev.refrain.http.OperationMode;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.servlet.RefrainFilter;
import dev.refrain.http.servlet.ScopeResolver;
import dev.refrain.store.memory.MemoryStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Shop with a form, protected by the filter, with a policy that allows only its own scripts. */
final class FormTestServer implements AutoCloseable {

    private static final String POLICY = "default-src 'none'; script-src 'self'; form-action 'self'";
    private static final String FORM = """
            <form method="post" action="/orders" data-idempotent>
            <label>Item <input name="item" autofocus></label> <button>Order</button></form>
            """;
    private static final String SCRIPT = "/META-INF/resources/refrain-form.js";

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final Refrain refrain = Refrain.using(new MemoryStore());
    private final AtomicInteger toLose = new AtomicInteger();

    /** Orders that took effect. */
    final List<String> orders = new CopyOnWriteArrayList<>();

    /** Keys of the requests. */
    final Set<String> keys = ConcurrentHashMap.newKeySet();

    /** Number of requests. */
    final AtomicInteger asked = new AtomicInteger();

    FormTestServer() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        var context = new ServletContextHandler("/");
        var filter = RefrainFilter.builder(refrain)
                .scope(ScopeResolver.shared())
                .route(
                        "POST /orders",
                        RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))
                                .key(key -> key.withSources(KeySource.bodyField("idempotency_key")))
                                .replay(keep -> keep.with(Retention.of(Duration.ofDays(7))))
                                .run(run -> run.with(new InFlightPolicy.Wait(Duration.ofSeconds(10)))))
                .route(
                        "POST /observed",
                        RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))
                                .key(key -> key.with(KeyRequirement.OBSERVE)))
                .build();
        for (String path : List.of("/orders", "/observed")) {
            context.addFilter(new FilterHolder((Filter) this::count), path, EnumSet.of(DispatcherType.REQUEST));
        }
        context.addFilter(new FilterHolder(filter), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new Shop()), "/");
        server.setHandler(context);
        server.start();
    }

    URI page(String path) {
        return URI.create("http://127.0.0.1:" + connector.getLocalPort() + path);
    }

    /** Loses the next responses. */
    void loseResponses(int count) {
        toLose.set(count);
    }

    private void count(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        asked.incrementAndGet();
        if (toLose.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            chain.doFilter(request, response);
            return;
        }
        var connection = ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection();
        chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
            @Override
            public ServletOutputStream getOutputStream() throws IOException {
                connection.getEndPoint().close();
                return super.getOutputStream();
            }

            @Override
            public PrintWriter getWriter() throws IOException {
                connection.getEndPoint().close();
                return super.getWriter();
            }
        });
    }

    private final class Shop extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/refrain-form.js")) {
                response.setContentType("text/javascript;charset=utf-8");
                try (var script = RefrainClient.class.getResourceAsStream(SCRIPT)) {
                    script.transferTo(response.getOutputStream());
                }
                return;
            }
            write(response, FORM);
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String key = request.getParameter("idempotency_key");
            keys.add(key);
            orders.add(request.getParameter("item"));
            write(
                    response,
                    "<p data-idempotent-done=\"%s\">Order %d: %s</p><a href=\"/\">Another</a>"
                                    .formatted(key, orders.size(), request.getParameter("item"))
                            + FORM);
        }

        private static void write(HttpServletResponse response, String body) throws IOException {
            response.setContentType("text/html;charset=utf-8");
            response.setHeader("Content-Security-Policy", POLICY);
            response.getWriter().print("""
                    <!doctype html><html lang="en"><title>A shop</title><script src="/refrain-form.js"></script>
                    <h1>A shop</h1>
                    """ + body);
        }
    }

    @Override
    public void close() throws Exception {
        server.stop();
        refrain.close(Duration.ofSeconds(5));
    }
}
