package dev.refrain.http.servlet;

import dev.refrain.Refrain;
import dev.refrain.http.Route;
import dev.refrain.http.cases.ContextPathTestCases;
import dev.refrain.http.cases.EdgeUnderTest;
import dev.refrain.http.cases.HandlerResponseStyle;
import dev.refrain.http.cases.TestHandler;
import dev.refrain.http.edge.BufferBudget;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A Jetty with one servlet behind one filter. */
final class JettyEdge implements EdgeUnderTest {

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    private final BufferBudget budget;

    private JettyEdge(BufferBudget budget) {
        this.budget = budget;
    }

    static JettyEdge start(Refrain refrain, List<Route> routes, TestHandler handler) throws Exception {
        var budget = BufferBudget.ofHeap();
        return start("/", TestFilterFactory.of(refrain, routes, budget), new TestHandlerServlet(handler), budget);
    }

    static JettyEdge startBelowAPath(Refrain refrain, List<Route> routes, TestHandler handler) throws Exception {
        var budget = BufferBudget.ofHeap();
        return start(
                ContextPathTestCases.PATH,
                TestFilterFactory.of(refrain, routes, budget),
                new TestHandlerServlet(handler),
                budget);
    }

    static JettyEdge start(Filter filter, Servlet servlet) throws Exception {
        return start("/", filter, servlet, BufferBudget.ofHeap());
    }

    private static JettyEdge start(String path, Filter filter, Servlet servlet, BufferBudget budget) throws Exception {
        var edge = new JettyEdge(budget);
        edge.connector.setHost("127.0.0.1");
        edge.server.addConnector(edge.connector);
        var context = new ServletContextHandler(path);
        var protect = new FilterHolder(filter);
        protect.setAsyncSupported(true);
        context.addFilter(protect, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        var cases = new ServletHolder(servlet);
        cases.setAsyncSupported(true);
        cases.getRegistration().setMultipartConfig(new MultipartConfigElement(System.getProperty("java.io.tmpdir")));
        context.addServlet(cases, "/");
        edge.server.setHandler(context);
        edge.server.start();
        return edge;
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public BufferBudget budget() {
        return budget;
    }

    @Override
    public Set<HandlerResponseStyle> supportedStyles() {
        return TestHandlerServlet.ways();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
