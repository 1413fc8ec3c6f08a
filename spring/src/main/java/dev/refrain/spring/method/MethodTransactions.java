package dev.refrain.spring.method;

import dev.refrain.Operation;
import dev.refrain.TransactionalOperation;
import dev.refrain.spring.OperationStore;
import dev.refrain.spring.internal.transaction.SpringTransactionSource;
import dev.refrain.spring.internal.transaction.StoreTransactionFinder;
import dev.refrain.spring.internal.transaction.TransactionalSettings;
import dev.refrain.spring.method.IdempotentMethodInvoker.InvocationStrategy;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.jdbc.JdbcStore;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Parts needed by transactional methods: the store's transactions, and the DataSource whose transaction may already be open. It alone
 * among the classes of methods needs {@code spring-jdbc}, which an application without a database lacks.
 */
record MethodTransactions(
        JdbcStore store,
        SpringTransactionSource spring,
        DataSource source,
        UnaryOperator<StoreTransactionFactory<Connection>> encryption) {

    /** Returns the transactions of a store; empty if Spring manages none in its database. */
    static Optional<MethodTransactions> find(OperationStore store, ListableBeanFactory beans) {
        return new StoreTransactionFinder(beans)
                .find(store)
                .flatMap(spring -> store.jdbc()
                        .map(jdbc -> new MethodTransactions(jdbc, spring, spring.dataSource(), store::encrypted)));
    }

    /** Returns the way of a method that commits together with its key. */
    InvocationStrategy transactional(
            String name, Method method, Class<?> bean, Operation<?> operation, ListableBeanFactory beans) {
        TransactionalSettings.requireRollback(name, method, bean, beans);
        var settings = TransactionalSettings.of(name, method, bean, beans);
        var transactions = encryption.apply(store.transactions(spring.with(settings)));
        var way = transactional(operation.transactional(transactions));
        return settings.getPropagationBehavior() == TransactionDefinition.PROPAGATION_MANDATORY
                ? onlyInTransactions(name, way)
                : way;
    }

    /** Runs in the transaction already open on this thread, or else in a new one. */
    private <T> InvocationStrategy transactional(TransactionalOperation<T, Connection> operation) {
        return (call, invocation) -> {
            boolean open = TransactionSynchronizationManager.isActualTransactionActive()
                    && TransactionSynchronizationManager.hasResource(source);
            if (!open) {
                return operation.run(call, (claim, own) -> IdempotentMethodInvoker.<T>proceed(invocation));
            }
            var connection = DataSourceUtils.getConnection(source);
            try {
                return operation.runInTransaction(
                        connection, call, (claim, joined) -> IdempotentMethodInvoker.<T>proceed(invocation));
            } finally {
                DataSourceUtils.releaseConnection(connection, source);
            }
        };
    }

    /** Rejects a call of a {@code MANDATORY} method outside of its caller's transaction, as Spring does. */
    private static InvocationStrategy onlyInTransactions(String name, InvocationStrategy way) {
        return (call, invocation) -> {
            if (!TransactionSynchronizationManager.isActualTransactionActive()) {
                throw new IllegalTransactionStateException(
                        name + " has propagation MANDATORY, but was called outside of a transaction. Nothing ran.");
            }
            return way.run(call, invocation);
        };
    }
}
