package dev.refrain.spring;

import dev.refrain.RefrainSettings.OperationCheck;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Registry of the namespaces of one application's keys: notes the first use of each, and refuses a use with another store.
 * Thread-safe.
 */
final class NamespaceRegistry {

    private static final System.Logger LOG = System.getLogger(NamespaceRegistry.class.getName());

    /** Bounds the memory where code makes namespaces from data, for example one for each tenant. */
    static final int MAX_NAMESPACES = 10_000;

    private final Map<String, NamespaceUse> uses = new ConcurrentHashMap<>();
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * First use of a namespace.
     *
     * @param label the store, as {@link OperationStore#label} names it
     * @param declared the store of a handler, route, bean method or flow; empty for an operation that code made
     */
    private record NamespaceUse(String label, String place, Optional<OperationStore> declared) {

        String inWords() {
            return place + " (" + OperationStore.inWords(label) + ")";
        }

        boolean isHttp(String namespace) {
            return declared.filter(store -> store.httpNamespace().equals(namespace))
                    .isPresent();
        }
    }

    /** Returns the check of the operations that are made on a store. */
    OperationCheck checkFor(String label) {
        return (namespace, operation) -> {
            if (uses.size() < MAX_NAMESPACES || uses.containsKey(namespace)) {
                note(namespace, new NamespaceUse(label, "the operation " + operation, Optional.empty()));
            } else if (warned.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "More than " + MAX_NAMESPACES
                                + " namespaces are in use. Of further ones that operations in code"
                                + " use, Refrain does not check whether each has one store; the operation " + operation
                                + " is the first. Put what differs between calls into the scope or the key.");
            }
        };
    }

    /**
     * Notes that a namespace is used with a store.
     *
     * @param place what uses it, for messages
     * @throws RefrainStartException if it is used with another store too, with both places
     */
    void requireOneStore(String namespace, OperationStore store, String place) {
        note(namespace, new NamespaceUse(store.label(), place, Optional.of(store)));
    }

    private void note(String namespace, NamespaceUse use) {
        var other = uses.putIfAbsent(namespace, use);
        if (other == null) {
            return;
        }
        if (!other.label().equals(use.label())) {
            throw new RefrainStartException(
                    "The namespace " + namespace + " has two stores: " + other.inWords() + " and " + use.inWords()
                            + ". Operations that share keys must see each other's: a key that is used for both would run twice.",
                    advice(namespace, other, use));
        }
        // A place in annotations or settings is easier to find than the name of an operation.
        if (other.declared().isEmpty() && use.declared().isPresent()) {
            uses.replace(namespace, other, use);
        }
    }

    private static String advice(String namespace, NamespaceUse other, NamespaceUse use) {
        if (other.declared().isEmpty() || use.declared().isEmpty()) {
            return "Use the same store for both; or, if no key is used for both, give the operation that code makes on one of them"
                    + " another namespace: operation(\"…\").namespace(\"…\").";
        }
        String named = use.label().equals(OperationStore.DEFAULT) ? other.label() : use.label();
        return use.isHttp(namespace) && other.isHttp(namespace)
                ? "Name the same store for all HTTP routes; or, if no client uses one key for both, give the routes"
                        + " of one store a namespace of their own: refrain.stores." + named
                        + ".http-namespace=" + named + "."
                : "Name the same store for both, or give them different names, for a method with @Idempotent.operation.";
    }
}
