package dev.refrain;

import static dev.refrain.testing.World.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.TakeOver;
import dev.refrain.testing.MemoryTransactions;
import dev.refrain.testing.MemoryTransactions.Books;
import dev.refrain.testing.World;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Transactions in memory, and an operation that runs in them. */
abstract class InTransactions {

    final World world = new World();
    final Refrain refrain = world.process();
    final MemoryTransactions transactions = new MemoryTransactions(world.store);
    final AtomicInteger runs = new AtomicInteger();
    final Transactional<String, Books> pay = operation().transactional(transactions);

    Operation<String> operation() {
        return refrain.operation("pay", String.class);
    }

    static Call call(String request) {
        return Call.of(SCOPE, "key-1", request);
    }

    TransactionalWork<String, Books, RuntimeException> writing(String entry) {
        return (claim, books) -> {
            books.write(entry);
            return entry + " " + runs.incrementAndGet();
        };
    }

    @AfterEach
    void no_connection_is_left_open() {
        assertThat(transactions.open()).isZero();
    }

    void completeMeanwhile(String value) {
        assertThat(world.process()
                        .operation("pay", String.class)
                        .leased(TakeOver.RESUME)
                        .run(SCOPE, "key-1", "x", claim -> value))
                .isEqualTo(value);
    }
}
