package dev.refrain.demo;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Takes orders: {@code POST} with one, and {@code GET ?order=NAME} for how many receipts there are of it. */
final class ShopServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Sells, and answers if that is not done for it. */
    @FunctionalInterface
    interface OrderHandler {
        void sell(ShopOrder order, HttpServletResponse response) throws Exception;
    }

    private final transient ShopDatabase books;
    private final transient OrderHandler till;

    ShopServlet(ShopDatabase books, OrderHandler till) {
        this.books = books;
        this.till = till;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        ShopOrder order;
        try {
            order = JSON.readValue(request.getInputStream(), ShopOrder.class);
        } catch (JacksonException notReadable) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "The body must be an order.");
            return;
        }
        try {
            till.sell(order, response);
        } catch (IOException noAnswerOfTheBank) {
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "The bank does not answer.");
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
            write(response, HttpServletResponse.SC_OK, books.receiptsFor(request.getParameter("order")));
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
