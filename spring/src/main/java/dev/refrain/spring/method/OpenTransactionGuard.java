package dev.refrain.spring.method;

import dev.refrain.spring.internal.transaction.TransactionalAnnotations;
import dev.refrain.spring.method.IdempotentMethodInvoker.InvocationStrategy;
import java.lang.reflect.Method;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Rejects a leased call inside its caller's transaction: the work would commit after its outcome is stored, or be rolled back despite it.
 *
 * <p>Whatever the transaction is of: a database, MongoDB, a message broker. Needs {@code spring-tx} alone, so it holds without {@code spring-jdbc} too.
 */
final class OpenTransactionGuard {

    /** The class that must be present before this one is used. */
    static final String NEEDED = "org.springframework.transaction.support.TransactionSynchronizationManager";

    private OpenTransactionGuard() {}

    static InvocationStrategy around(InvocationStrategy leased, String name, Method method, Class<?> bean) {
        if (!TransactionalAnnotations.joins(method, bean)) {
            return leased;
        }
        return (call, invocation) -> {
            if (TransactionSynchronizationManager.isActualTransactionActive()) {
                throw new IllegalStateException(name
                        + " is @Idempotent, leased and @Transactional, but was called in an open transaction: its outcome would be"
                        + " stored although its work may still be rolled back. Make it transactional (mode = TRANSACTIONAL), give it"
                        + " a transaction of its own (REQUIRES_NEW), or call it outside. Nothing ran.");
            }
            return leased.run(call, invocation);
        };
    }
}
