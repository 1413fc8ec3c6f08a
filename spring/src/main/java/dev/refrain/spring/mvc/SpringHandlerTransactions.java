package dev.refrain.spring.mvc;

import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.TransactionalOperation;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.http.edge.TransactionalRunner;
import dev.refrain.spring.RefrainStartException;
import dev.refrain.spring.internal.handler.HandlerTransactions;
import dev.refrain.spring.internal.transaction.SpringTransactionSource;
import dev.refrain.spring.internal.transaction.TransactionalSettings;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.jdbc.JdbcStore;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.ListableBeanFactory;

/** Begins the transaction of a handler as its {@code @Transactional} says. */
final class SpringHandlerTransactions implements HandlerTransactions {
    private final JdbcStore store;
    private final SpringTransactionSource source;
    private final ListableBeanFactory beans;
    private final UnaryOperator<StoreTransactionFactory<Connection>> encryption;
    private final TransactionalRunner.Factory byDefault;

    /**
     * Creates the transactions.
     *
     * @param encryption makes transactions encrypt as the store of the keys does
     */
    SpringHandlerTransactions(
            JdbcStore store,
            SpringTransactionSource source,
            ListableBeanFactory beans,
            UnaryOperator<StoreTransactionFactory<Connection>> encryption) {
        this.store = store;
        this.source = source;
        this.beans = beans;
        this.encryption = encryption;
        this.byDefault = on(source);
    }

    @Override
    public TransactionalRunner create(Operation<Outcome.Answer> operation) {
        return byDefault.create(operation);
    }

    @Override
    public TransactionalRunner.Factory forHandler(String name, Method method, Class<?> bean) {
        TransactionalSettings.requireRollback(name, method, bean, beans);
        var settings = TransactionalSettings.of(name, method, bean, beans);
        return SpringTransactionSource.isDefault(settings) ? byDefault : on(source.with(settings));
    }

    @Override
    public void requireDefaults(String route, String name, Method method, Class<?> bean) {
        TransactionalSettings.requireRollback(name, method, bean, beans);
        if (!SpringTransactionSource.isDefault(TransactionalSettings.of(name, method, bean, beans))) {
            throw new RefrainStartException(
                    name + " is protected by the route " + route
                            + ", and its @Transactional sets isolation or timeout: the transaction of the route begins without"
                            + " them, before its handler is known.",
                    "Annotate the handler with @Idempotent, which begins the transaction as it says, or remove them.");
        }
    }

    private TransactionalRunner.Factory on(SpringTransactionSource settings) {
        var transactions = encryption.apply(store.transactions(settings));
        return operation -> new SpringTransactionalRunner(operation.transactional(transactions));
    }

    private record SpringTransactionalRunner(TransactionalOperation<Outcome.Answer, Connection> operation)
            implements TransactionalRunner {
        @Override
        public boolean isOverloaded(String scope) {
            return operation.isOverloaded(scope);
        }

        @Override
        public <X extends Exception> OperationResult attempt(OperationCall call, TransactionalHandler<X> handler)
                throws X {
            return operation.runForResult(call, (claim, connection) -> handler.run(claim));
        }
    }
}
