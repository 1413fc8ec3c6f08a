package dev.refrain.demo;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Servlet for orders: {@code POST} places one, {@code GET ?order=NAME} counts its receipts. */
final class ShopServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Handles an order and writes the response, unless the flow does. */
    @FunctionalInterface
    interface OrderHandler {
        void sell(ShopOrder order, HttpServletResponse response) throws Exception;
    }

    private final transient ShopDatabase database;
    private final transient OrderHandler handler;

    ShopServlet(ShopDatabase database, OrderHandler handler) {
        this.database = database;
        this.handler = handler;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        ShopOrder order;
        try {
            order = JSON.readValue(request.getInputStream(), ShopOrder.class);
        } catch (JacksonException notReadable) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "The body must be an order in JSON.");
            return;
        }
        try {
            handler.sell(order, response);
        } catch (IOException bankFailure) {
            response.sendError(
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE, "The bank does not respond. Retry with the same key.");
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw new ServletException(ending);
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new ServletException(failed);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        try {
            write(response, HttpServletResponse.SC_OK, database.receiptsFor(request.getParameter("order")));
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }

    static void write(HttpServletResponse response, int status, Object body) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        response.getOutputStream().write(JSON.writeValueAsBytes(body));
    }
}
