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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A Tomcat with one servlet behind one filter. */
final class TomcatEdge implements EdgeUnderTest {

    private static final Logger QUIET = Logger.getLogger("org.apache");

    private final Tomcat tomcat = new Tomcat();

    private final BufferBudget budget;

    private TomcatEdge(BufferBudget budget) {
        this.budget = budget;
    }

    static TomcatEdge start(Refrain refrain, List<Route> routes, TestHandler handler) throws Exception {
        var budget = BufferBudget.ofHeap();
        return start(
                "", List.of(TestFilterFactory.of(refrain, routes, budget)), new TestHandlerServlet(handler), budget);
    }

    static TomcatEdge startBelowAPath(Refrain refrain, List<Route> routes, TestHandler handler) throws Exception {
        var budget = BufferBudget.ofHeap();
        return start(
                ContextPathTestCases.PATH,
                List.of(TestFilterFactory.of(refrain, routes, budget)),
                new TestHandlerServlet(handler),
                budget);
    }

    static TomcatEdge start(Filter filter, Servlet servlet) throws Exception {
        return start(List.of(filter), servlet);
    }

    /** @param filters the outermost first */
    static TomcatEdge start(List<Filter> filters, Servlet servlet) throws Exception {
        return start("", filters, servlet, BufferBudget.ofHeap());
    }

    private static TomcatEdge start(String path, List<? extends Filter> filters, Servlet servlet, BufferBudget budget)
            throws Exception {
        QUIET.setLevel(Level.OFF);
        var edge = new TomcatEdge(budget);
        Path folder = Files.createTempDirectory("refrain-tomcat-");
        edge.tomcat.setBaseDir(folder.toString());
        edge.tomcat.setPort(0);
        edge.tomcat.getConnector().setProperty("address", "127.0.0.1");
        // Otherwise Tomcat says "100 Continue" before any filter has seen the request.
        edge.tomcat.getConnector().setProperty("continueResponseTiming", "onRead");
        var context = edge.tomcat.addContext(path, folder.toString());
        var wrapper = Tomcat.addServlet(context, "cases", servlet);
        wrapper.setAsyncSupported(true);
        wrapper.setMultipartConfigElement(new MultipartConfigElement(folder.toString()));
        context.addServletMappingDecoded("/", "cases");
        for (int i = 0; i < filters.size(); i++) {
            var definition = new FilterDef();
            definition.setFilterName("filter" + i);
            definition.setFilter(filters.get(i));
            definition.setAsyncSupported("true");
            context.addFilterDef(definition);
            var mapping = new FilterMap();
            mapping.setFilterName("filter" + i);
            mapping.addURLPattern("/*");
            mapping.setDispatcher(DispatcherType.REQUEST.name());
            mapping.setDispatcher(DispatcherType.ASYNC.name());
            context.addFilterMap(mapping);
        }
        edge.tomcat.start();
        return edge;
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
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
        tomcat.stop();
        tomcat.destroy();
    }
}
