package dev.refrain.examples.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Servlet that inserts payments into the ledger. It knows nothing of keys: its connection takes part in the transaction
 * of the request.
 */
final class PaymentsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Request body. */
    record Order(int amount, String currency) {}

    /** Response body. */
    record Payment(String id, int amount, String currency) {}

    private final transient DataSource ledger;

    PaymentsServlet(DataSource ledger) {
        this.ledger = ledger;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Order order;
        try {
            order = JSON.readValue(request.getInputStream(), Order.class);
        } catch (JacksonException notReadable) {
            response.sendError(
                    HttpServletResponse.SC_BAD_REQUEST, "The body must be JSON with an amount and a currency.");
            return;
        }
        if (order.amount() <= 0) {
            response.sendError(HttpServletResponse.SC_PAYMENT_REQUIRED, "The amount must be positive.");
            return;
        }
        var payment = new Payment(UUID.randomUUID().toString(), order.amount(), order.currency());
        try (var connection = ledger.getConnection();
                var insert =
                        connection.prepareStatement("INSERT INTO payment (id, amount, currency) VALUES (?, ?, ?)")) {
            insert.setString(1, payment.id());
            insert.setInt(2, payment.amount());
            insert.setString(3, payment.currency());
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IOException("Cannot write to the ledger.", e);
        }
        response.setStatus(HttpServletResponse.SC_CREATED);
        response.setHeader("Location", "/payments/" + payment.id());
        response.setContentType("application/json");
        response.getOutputStream().write(JSON.writeValueAsBytes(payment));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (var connection = ledger.getConnection();
                var count = connection.createStatement();
                var rows = count.executeQuery("SELECT count(*), coalesce(sum(amount), 0) FROM payment")) {
            rows.next();
            response.setContentType("application/json");
            response.getOutputStream().print("{\"payments\":" + rows.getInt(1) + ",\"total\":" + rows.getInt(2) + "}");
        } catch (SQLException e) {
            throw new IOException("Cannot read the ledger.", e);
        }
    }
}
