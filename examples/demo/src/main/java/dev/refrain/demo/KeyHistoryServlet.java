package dev.refrain.demo;

import dev.refrain.api.ClientKey;
import dev.refrain.http.edge.RouteProtection;
import dev.refrain.store.RecordBrowser;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Serves the history of an order's key: {@code GET /keys?order=NAME}; with {@code &console}, redirects to its page in
 * the console.
 */
final class KeyHistoryServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    static final String PATH = "/keys";

    private final transient RecordBrowser browsing;
    private final URI console;

    KeyHistoryServlet(RecordBrowser browsing, URI console) {
        this.browsing = browsing;
        this.console = console;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String order = request.getParameter("order");
        if (request.getParameter("console") != null) {
            response.sendRedirect(console + "/key?namespace=" + RouteProtection.NAMESPACE + "&key="
                    + URLEncoder.encode(order, StandardCharsets.UTF_8));
            return;
        }
        var history = browsing.find(ClientKey.scope("").key(order).inNamespace(RouteProtection.NAMESPACE))
                .map(KeyHistory::of)
                .orElse(KeyHistory.NONE);
        ShopServlet.write(response, HttpServletResponse.SC_OK, history);
    }
}
