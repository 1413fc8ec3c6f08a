package dev.refrain;

import static dev.refrain.testing.SharedStoreFixture.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.testing.InMemoryTransactionFactory;
import dev.refrain.testing.InMemoryTransactionFactory.InMemoryTransaction;
import dev.refrain.testing.SharedStoreFixture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Transactions in memory, and an operation that runs in them. */
abstract class TransactionalTestBase {

    final SharedStoreFixture world = new SharedStoreFixture();
    final Refrain refrain = world.process();
    final InMemoryTransactionFactory transactions = new InMemoryTransactionFactory(world.store);
    final AtomicInteger runs = new AtomicInteger();
    final TransactionalOperation<String, InMemoryTransaction> pay = operation().transactional(transactions);

    Operation<String> operation() {
        return refrain.operation("pay", String.class);
    }

    static OperationCall call(String request) {
        return OperationCall.scope(SCOPE).key("key-1").request(request);
    }

    TransactionalWork<String, InMemoryTransaction, RuntimeException> writing(String entry) {
        return (claim, books) -> {
            books.write(entry);
            return entry + " " + runs.incrementAndGet();
        };
    }

    @AfterEach
    void noConnectionIsLeftOpen() {
        assertThat(transactions.open()).isZero();
    }

    void completeMeanwhile(String value) {
        assertThat(world.process()
                        .operation("pay", String.class)
                        .leased(LeaseExpiryPolicy.RESUME)
                        .run(OperationCall.scope(SCOPE).key("key-1").request("x"), claim -> value))
                .isEqualTo(value);
    }
}
