package dev.refrain.cli.readme;

import static dev.refrain.api.LeaseExpiryPolicy.RESUME;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The plain example of the README, which shows this file without this comment. */
public final class Payments implements AutoCloseable {

    public record PaymentRequest(String card, long cents) {}

    public record Payment(String id, long cents) {}

    public interface Provider {
        Payment charge(PaymentRequest request, String idempotencyKey);
    }

    private final JdbcStore store;
    private final Refrain refrain;
    private final Provider provider;
    private final LeasedOperation<Payment> pay;
    private final TransactionalOperation<Payment, Connection> book;

    public Payments(DataSource dataSource, Provider provider) {
        this.provider = provider;
        store = JdbcStore.on(dataSource); // PostgreSQL, MySQL, MariaDB or SQLite; missing tables are created
        refrain = Refrain.using(store);
        // Work elsewhere: the provider honours keys, so running it again after a crash is safe.
        pay = refrain.operation("payments.create", Payment.class).leased(RESUME);
        // Work in this database: key, ledger row and result commit in one transaction or not at all.
        book = refrain.operation("ledger.book", Payment.class).transactional(store.transactions());
    }

    /** The tenant comes from your authentication, the key from the client; a retry must send the same request. */
    public Payment create(String tenant, String key, PaymentRequest request) throws SQLException {
        var call = OperationCall.scope(tenant).key(key).request(request);
        Payment payment = pay.run(call, claim -> provider.charge(request, claim.derivedKey("charge")));
        return book.run(call, (claim, connection) -> insert(connection, payment));
    }

    private static Payment insert(Connection connection, Payment payment) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO ledger (id, cents) VALUES (?, ?)")) {
            insert.setString(1, payment.id());
            insert.setLong(2, payment.cents());
            insert.executeUpdate();
        }
        return payment;
    }

    @Override
    public void close() {
        refrain.close();
        store.close();
    }
}
