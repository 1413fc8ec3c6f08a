package dev.refrain.spring.internal.handler;

import dev.refrain.http.edge.TransactionalRunner;
import java.lang.reflect.Method;

/** Transactions for handlers, with the settings of each handler's {@code @Transactional}. */
public interface HandlerTransactions extends TransactionalRunner.Factory {

    /**
     * Returns the transactions of one handler.
     *
     * @throws IllegalArgumentException if its {@code @Transactional} asks for something that cannot be done
     */
    TransactionalRunner.Factory forHandler(String name, Method method, Class<?> bean);

    /**
     * Requires that a handler asks for nothing but the defaults: it is protected by a declared route, whose transactions are begun
     * before the handler is known.
     *
     * @throws IllegalArgumentException if its {@code @Transactional} asks for something else
     */
    void requireDefaults(String route, String name, Method method, Class<?> bean);
}
