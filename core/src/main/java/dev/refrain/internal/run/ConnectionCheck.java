package dev.refrain.internal.run;

import dev.refrain.store.StoreOverloadedException;
import dev.refrain.store.StoreTransactionFactory;

/** Check that a connection would come in time, made before anything is computed or claimed for a call that would wait in vain. */
@FunctionalInterface
public interface ConnectionCheck {

    /** Lets every run begin, however long it waits: its work has begun already, or no caller retries it. */
    ConnectionCheck NONE = () -> {};

    /** @throws StoreOverloadedException if too many wait for a connection */
    void require();

    static ConnectionCheck of(RunSettings settings, String scope, StoreTransactionFactory<?> transactions) {
        return () -> {
            if (!transactions.hasCapacity(scope, settings.patience())) {
                throw new StoreOverloadedException(
                        "Too many transactions wait for a connection: this one would not be served in time at the pace of the moment. Nothing ran; retry later.");
            }
        };
    }
}
