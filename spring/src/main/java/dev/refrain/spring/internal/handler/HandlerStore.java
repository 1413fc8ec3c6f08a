package dev.refrain.spring.internal.handler;

import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.spring.OperationStore;
import java.util.Optional;

/**
 * Store of a handler, and the transactions in which its transactional handlers run.
 *
 * @param transactions empty if Spring manages no transactions in the database of the store
 */
public record HandlerStore(OperationStore store, Optional<TransactionalRunner.Factory> transactions) {}
