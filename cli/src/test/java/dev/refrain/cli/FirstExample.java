package dev.refrain.cli;

import static dev.refrain.api.LeaseExpiryPolicy.RESUME;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.TransactionalOperation;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The README's first example: what stands between the marks is what the README shows, and {@link ReadmeTest} runs it. */
final class FirstExample {

    record PaymentRequest(String card, long cents) {}

    record Payment(String id, long cents) {}

    record Entry(long cents) {}

    interface Provider {
        Payment charge(PaymentRequest request, String idempotencyKey);
    }

    record ExampleResult(Payment payment, Entry entry) {}

    static ExampleResult run(
            DataSource dataSource, Provider provider, String tenant, String key, PaymentRequest request)
            throws SQLException {
        // README begins
        // PostgreSQL or SQLite, whichever it is; the tables are made if they are missing.
        var store = JdbcStore.on(dataSource);
        var refrain = Refrain.using(store);

        // Whose key it is, the key that the client sent, and what is asked.
        var call = OperationCall.scope(tenant).key(key).request(request);

        // The work is elsewhere: a payment provider that honours keys, so running it again is safe.
        LeasedOperation<Payment> pay =
                refrain.operation("payments.create", Payment.class).leased(RESUME);

        Payment payment = pay.run(call, claim -> provider.charge(request, claim.derivedKey("charge")));

        // The work is here: the key, the ledger row and the answer commit in one transaction, or none does.
        TransactionalOperation<Entry, Connection> book =
                refrain.operation("ledger.book", Entry.class).transactional(store.transactions());

        Entry entry = book.run(call, (claim, connection) -> insertEntry(connection, request));
        // README ends
        refrain.close();
        store.close();
        return new ExampleResult(payment, entry);
    }

    private static Entry insertEntry(Connection connection, PaymentRequest request) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO ledger (cents) VALUES (?)")) {
            insert.setLong(1, request.cents());
            insert.executeUpdate();
        }
        return new Entry(request.cents());
    }

    private FirstExample() {}
}
