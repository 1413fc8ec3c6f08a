package dev.refrain.store.jdbc;

import dev.refrain.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * One way in which an ability is wrong, and the tests that must notice.
 *
 * @param in puts the flaw into a sound store
 */
record AbilityFlaw(String name, UnaryOperator<Store> in, List<String> caughtBy) {

    /** What a flawed object does instead of one of its methods. */
    @FunctionalInterface
    interface Mistake<T> {
        Object make(T sound, Object[] arguments) throws Exception;
    }

    /** A store of which one method of one ability is wrong. */
    static <A> AbilityFlaw of(String name, Class<A> ability, String method, Mistake<A> mistake, String... caughtBy) {
        UnaryOperator<Store> in = sound -> instead(Store.class, sound, "ability", (store, arguments) -> {
            var found = store.ability((Class<?>) arguments[0]);
            return arguments[0].equals(ability)
                    ? Optional.of(instead(ability, ability.cast(found.orElseThrow()), method, mistake))
                    : found;
        });
        return new AbilityFlaw(name, in, List.of(caughtBy));
    }

    /** The same object but for one method. */
    static <T> T instead(Class<T> type, T sound, String name, Mistake<T> mistake) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    case "toString" -> "flawed " + sound;
                    default ->
                        method.getName().equals(name) ? mistake.make(sound, arguments) : call(sound, method, arguments);
                }));
    }

    private static Object call(Object sound, Method method, Object[] arguments) throws Exception {
        try {
            return method.invoke(sound, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    static List<AbilityFlaw> all() {
        return Stream.of(
                        TransactionFlaws.ALL,
                        MessageFlaws.ALL,
                        LedgerAndBrowsingFlaws.ALL,
                        WakeupFlaws.ALL,
                        EncryptionMarkFlaws.ALL)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
