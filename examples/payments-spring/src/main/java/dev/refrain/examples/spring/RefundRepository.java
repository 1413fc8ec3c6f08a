package dev.refrain.examples.spring;

import static dev.refrain.examples.spring.PaymentsLedger.Account.AVAILABLE;
import static dev.refrain.examples.spring.PaymentsLedger.Account.BANK;

import dev.refrain.examples.spring.BankClient.Accepted;
import dev.refrain.examples.spring.BankClient.BankDecision;
import dev.refrain.examples.spring.BankClient.Declined;
import dev.refrain.examples.spring.PaymentsLedger.Transfer;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Refunds in the database. The amount is reserved before the bank is asked, so that all refunds together never exceed
 * the payment.
 */
@Component
class RefundRepository {

    private static final String SELECT = """
            SELECT r.*, p.merchant, p.charge, p.payment_method, p.currency
            FROM refund r JOIN payment p ON p.id = r.payment WHERE\s""";

    private static final RowMapper<Refund> REFUNDS = new SimplePropertyRowMapper<>(Refund.class);

    private final JdbcClient jdbc;
    private final PaymentsLedger ledger;
    private final PaymentRepository payments;

    RefundRepository(JdbcClient jdbc, PaymentsLedger ledger, PaymentRepository payments) {
        this.jdbc = jdbc;
        this.ledger = ledger;
        this.payments = payments;
    }

    /** Starts a refund. A second run of the same operation finds the refund that the first one started. */
    @Transactional
    public Refund begin(String merchant, String payment, @Nullable Long amount, String operation) {
        int started = jdbc.sql("""
                        INSERT INTO refund (id, payment, amount, status, operation, created)
                        SELECT :id, id, coalesce(:amount, amount - refunded), 'pending', :operation, :created
                        FROM payment
                        WHERE id = :payment AND merchant = :merchant AND status = 'succeeded'
                          AND coalesce(:amount, amount - refunded) BETWEEN 1 AND amount - refunded
                        ON CONFLICT (operation) DO NOTHING""")
                .param("id", PaymentRepository.newId("re_"))
                .param("amount", amount, Types.BIGINT)
                .param("operation", operation)
                .param("created", System.currentTimeMillis())
                .param("payment", payment)
                .param("merchant", merchant)
                .update();
        var refund = find(operation).orElseThrow(() -> notRefundable(merchant, payment));
        if (started == 1 && reserve(refund) == 0) {
            // A concurrent refund was faster, and both together would exceed the payment.
            throw notRefundable(merchant, payment);
        }
        return refund;
    }

    private int reserve(Refund refund) {
        return jdbc.sql("UPDATE payment SET refunded = refunded + ? WHERE id = ? AND refunded + ? <= amount")
                .params(refund.amount(), refund.payment(), refund.amount())
                .update();
    }

    private ApiException notRefundable(String merchant, String id) {
        var payment = payments.get(merchant, id);
        return payment.is(Payment.SUCCEEDED)
                ? ApiException.unexpectedState(
                        "Payment " + id + " has only " + (payment.amount() - payment.refunded()) + " left to refund.")
                : ApiException.unexpectedState(
                        "Payment " + id + " cannot be refunded: its status is " + payment.status() + ".");
    }

    /** Commits the bank's decision and its consequences together. A failed refund frees its reserved amount. */
    @Transactional
    public Refund settle(Refund refund, BankDecision verdict) {
        switch (verdict) {
            case Accepted done -> succeed(refund);
            case Declined declined -> fail(refund, declined.reason());
        }
        return jdbc.sql(SELECT + "r.id = ?").params(refund.id()).query(REFUNDS).single();
    }

    private void succeed(Refund refund) {
        int first = jdbc.sql("UPDATE refund SET status = 'succeeded' WHERE id = ? AND status = 'pending'")
                .params(refund.id())
                .update();
        if (first == 1) {
            ledger.book(
                    "refund:" + refund.id(),
                    refund.merchant(),
                    refund.currency(),
                    refund.amount(),
                    List.of(new Transfer(BANK, AVAILABLE)));
        }
    }

    private void fail(Refund refund, String reason) {
        int first = jdbc.sql(
                        "UPDATE refund SET status = 'failed', decline_code = ? WHERE id = ? AND status = 'pending'")
                .params(reason, refund.id())
                .update();
        if (first == 1) {
            jdbc.sql("UPDATE payment SET refunded = refunded - ? WHERE id = ?")
                    .params(refund.amount(), refund.payment())
                    .update();
        }
    }

    private Optional<Refund> find(String operation) {
        return jdbc.sql(SELECT + "r.operation = ?")
                .params(operation)
                .query(REFUNDS)
                .optional();
    }
}
