package dev.refrain.outbox;

import dev.refrain.store.StoreException;
import dev.refrain.store.outbox.DeliveryTransaction;
import dev.refrain.store.outbox.OutboxStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An outbox whose first commit of handled messages is lost, and nobody is told whether it happened. */
record LostReplyOutbox(OutboxStore<Connection> store, AtomicBoolean once) {

    @SuppressWarnings("unchecked")
    static OutboxStore<Connection> first(OutboxStore<Connection> store) {
        var doubt = new LostReplyOutbox(store, new AtomicBoolean(true));
        return (OutboxStore<Connection>) Proxy.newProxyInstance(
                LostReplyOutbox.class.getClassLoader(),
                new Class<?>[] {OutboxStore.class},
                (self, method, given) -> doubt.answer(method, given));
    }

    private @Nullable Object answer(Method method, Object[] given) throws Throwable {
        var answer = called(store, method, given);
        return answer instanceof DeliveryTransaction<?> transaction
                ? Proxy.newProxyInstance(
                        LostReplyOutbox.class.getClassLoader(),
                        new Class<?>[] {DeliveryTransaction.class},
                        (self, part, with) -> within(transaction, part, with))
                : answer;
    }

    private @Nullable Object within(DeliveryTransaction<?> transaction, Method method, Object[] given)
            throws Throwable {
        if (method.getName().equals("settleAndCommit") && once.getAndSet(false)) {
            throw StoreException.unavailable("The reply is lost.", StoreException.Effect.UNKNOWN, null);
        }
        return called(transaction, method, given);
    }

    private static @Nullable Object called(Object target, Method method, Object[] given) throws Throwable {
        try {
            return method.invoke(target, given);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
