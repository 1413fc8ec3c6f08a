package dev.refrain.http.servlet;

import dev.refrain.Refrain;
import dev.refrain.http.cases.BelowAPathCases;
import dev.refrain.http.cases.Edge;
import dev.refrain.http.cases.Handler;
import dev.refrain.http.cases.Way;
import dev.refrain.http.policy.Route;
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
final class JettyEdge implements Edge {

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    private JettyEdge() {}

    static JettyEdge start(Refrain refrain, List<Route> routes, Handler handler) throws Exception {
        return start(TestFilter.of(refrain, routes), new CasesServlet(handler));
    }

    static JettyEdge startBelowAPath(Refrain refrain, List<Route> routes, Handler handler) throws Exception {
        return start(BelowAPathCases.PATH, TestFilter.of(refrain, routes), new CasesServlet(handler));
    }

    static JettyEdge start(Filter filter, Servlet servlet) throws Exception {
        return start("/", filter, servlet);
    }

    private static JettyEdge start(String path, Filter filter, Servlet servlet) throws Exception {
        var edge = new JettyEdge();
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
    public Set<Way> supportedStyles() {
        return CasesServlet.ways();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
