package dev.refrain.testing;

import dev.refrain.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** A store with nothing but what every store must do. */
public final class BareStore {

    private BareStore() {}

    public static Store around(Store real) {
        return (Store) Proxy.newProxyInstance(
                BareStore.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
                    if (method.getName().equals("ability")) {
                        return Optional.empty();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
