package dev.refrain.examples.spring;

import static dev.refrain.examples.spring.PaymentsLedger.Account.AVAILABLE;
import static dev.refrain.examples.spring.PaymentsLedger.Account.BANK;
import static dev.refrain.examples.spring.PaymentsLedger.Account.CUSTOMERS;
import static dev.refrain.examples.spring.PaymentsLedger.Account.PENDING;

import dev.refrain.examples.spring.BankClient.Accepted;
import dev.refrain.examples.spring.BankClient.BankDecision;
import dev.refrain.examples.spring.BankClient.Declined;
import dev.refrain.examples.spring.PaymentsLedger.Transfer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Payments in the database. Every state change is one statement that names the expected state, together with its
 * booking, so that a second attempt changes nothing. Each transaction starts with a write, so that SQLite never has to
 * upgrade a stale read.
 */
@Component
class PaymentRepository {

    private static final RowMapper<Payment> PAYMENTS = new SimplePropertyRowMapper<>(Payment.class);

    private final JdbcClient jdbc;
    private final PaymentsLedger ledger;

    PaymentRepository(JdbcClient jdbc, PaymentsLedger ledger) {
        this.jdbc = jdbc;
        this.ledger = ledger;
    }

    /** Inserts the payment and its booking in the current transaction. */
    @Transactional
    public Payment create(String merchant, CreatePaymentForm order) {
        String id = newId("pi_");
        jdbc.sql("""
                        INSERT INTO payment (id, merchant, amount, currency, payment_method, description, status, created)
                        VALUES (?, ?, ?, ?, ?, ?, 'requires_capture', ?)""")
                .param(id)
                .param(merchant)
                .param(order.amount())
                .param(order.currency())
                .param(order.paymentMethod())
                .param(order.description())
                .param(System.currentTimeMillis())
                .update();
        ledger.book(
                "create:" + id, merchant, order.currency(), order.amount(), List.of(new Transfer(PENDING, CUSTOMERS)));
        return get(merchant, id);
    }

    /**
     * Assigns the payment to one operation: no other may ask the bank for it, and a second run of the same operation
     * sees how far the first one got.
     */
    @Transactional
    public Payment beginCapture(String merchant, String id, String operation) {
        int started = jdbc.sql("""
                        UPDATE payment SET status = 'processing', operation = ?
                        WHERE id = ? AND merchant = ? AND status = 'requires_capture'""").params(operation, id, merchant).update();
        var payment = get(merchant, id);
        if (started == 0 && !operation.equals(payment.operation())) {
            throw payment.is(Payment.PROCESSING)
                    ? ApiException.underWay("Payment " + id + " is already being captured under another key.")
                    : ApiException.unexpectedState(
                            "Payment " + id + " cannot be captured: its status is " + payment.status() + ".");
        }
        return payment;
    }

    /** Commits the bank's decision together with its booking. A second run with the same decision changes nothing. */
    @Transactional
    public Payment settle(Payment payment, BankDecision verdict) {
        var end = switch (verdict) {
            case Accepted charge ->
                jdbc.sql("UPDATE payment SET status = 'succeeded', charge = ? WHERE id = ? AND status = 'processing'")
                        .params(charge.id(), payment.id());
            case Declined declined ->
                jdbc.sql(
                                "UPDATE payment SET status = 'declined', decline_code = ? WHERE id = ? AND status = 'processing'")
                        .params(declined.reason(), payment.id());
        };
        if (end.update() == 1) {
            ledger.book(
                    "capture:" + payment.id(),
                    payment.merchant(),
                    payment.currency(),
                    payment.amount(),
                    switch (verdict) {
                        case Accepted charge ->
                            List.of(new Transfer(CUSTOMERS, BANK), new Transfer(AVAILABLE, PENDING));
                        case Declined declined -> List.of(new Transfer(CUSTOMERS, PENDING));
                    });
        }
        return get(payment.merchant(), payment.id());
    }

    /**
     * Finds a payment.
     *
     * @throws ApiException if this merchant has no such payment
     */
    Payment get(String merchant, String id) {
        return find(merchant, id).orElseThrow(() -> ApiException.notFound("payment_intent", id));
    }

    private Optional<Payment> find(String merchant, String id) {
        return jdbc.sql("SELECT * FROM payment WHERE merchant = ? AND id = ?")
                .params(merchant, id)
                .query(PAYMENTS)
                .optional();
    }

    /** Lists payments, newest first. */
    List<Payment> newest(String merchant, int limit) {
        return jdbc.sql("SELECT * FROM payment WHERE merchant = ? ORDER BY created DESC, id DESC LIMIT ?")
                .params(merchant, limit)
                .query(PAYMENTS)
                .list();
    }

    /** Lists the payments that follow the cursor in {@link #newest}. */
    List<Payment> before(Payment cursor, int limit) {
        return jdbc.sql("""
                        SELECT * FROM payment WHERE merchant = ? AND (created, id) < (?, ?)
                        ORDER BY created DESC, id DESC LIMIT ?""")
                .params(cursor.merchant(), cursor.created(), cursor.id(), limit)
                .query(PAYMENTS)
                .list();
    }

    static String newId(String prefix) {
        return prefix + UUID.randomUUID().toString().replace("-", "");
    }
}
