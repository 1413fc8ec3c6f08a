package dev.refrain.http.cases;

import dev.refrain.store.Store;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Semaphore;

/** Store that can be made unavailable, or slow to write. */
final class StoreOutageSimulator {

    private static final int MANY = 1_000_000;

    private final Semaphore writes = new Semaphore(MANY);
    private volatile boolean away;
    private final Store store;

    StoreOutageSimulator(Store real) {
        store = (Store) Proxy.newProxyInstance(
                StoreOutageSimulator.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.invoke(real, arguments);
                    }
                    if (away
                            && !method.getName().equals("traits")
                            && !method.getName().equals("close")) {
                        throw StoreException.unavailable("The store is away.", Effect.NONE, null);
                    }
                    if (method.getName().equals("write")) {
                        writes.acquire();
                        writes.release();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    Store store() {
        return store;
    }

    void startOutage() {
        away = true;
    }

    void endOutage() {
        away = false;
    }

    void blockWrites() {
        writes.acquireUninterruptibly(MANY);
    }

    void unblockWrites() {
        writes.release(MANY);
    }
}
