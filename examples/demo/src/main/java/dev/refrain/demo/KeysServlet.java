package dev.refrain.demo;

import dev.refrain.http.Protection;
import dev.refrain.key.Identity;
import dev.refrain.store.Browsing;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The story of an order's key: {@code GET /keys?order=NAME}; with {@code &console}, the console's page about it. */
final class KeysServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    static final String PATH = "/keys";

    private final transient Browsing browsing;
    private final URI console;

    KeysServlet(Browsing browsing, URI console) {
        this.browsing = browsing;
        this.console = console;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String order = request.getParameter("order");
        if (request.getParameter("console") != null) {
            response.sendRedirect(console + "/key?operation=" + Protection.NAMESPACE + "&key="
                    + URLEncoder.encode(order, StandardCharsets.UTF_8));
            return;
        }
        var story = browsing.find(new Identity("", Protection.NAMESPACE, order))
                .map(KeyStory::of)
                .orElse(KeyStory.NONE);
        ShopServlet.write(response, HttpServletResponse.SC_OK, story);
    }
}
