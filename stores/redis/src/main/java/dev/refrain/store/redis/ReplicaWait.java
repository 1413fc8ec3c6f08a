package dev.refrain.store.redis;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.time.Duration;
import java.util.List;

/**
 * How many replicas have to have a change before it is acknowledged, and for how long that is waited for.
 *
 * @param count 0 to wait for none
 * @param synced whether it has to be in the append-only files, the server's own too
 */
record ReplicaWait(int count, Duration timeout, boolean synced) {

    static final ReplicaWait NONE = new ReplicaWait(0, Duration.ZERO, false);

    boolean isOn() {
        return synced || count > 0;
    }

    /**
     * @param reached what the server answered: the number of replicas, behind that of its own files where those are waited for
     * @throws StoreException if that is less than demanded
     */
    void requireReached(String doing, String server, List<Object> reached) {
        long own = synced ? number(reached.getFirst()) : 0;
        long others = number(reached.getLast());
        if (synced && own < 1) {
            throw StoreException.unavailable(
                    doing + " was not in the append-only file of " + server + " within " + timeout.toMillis()
                            + " ms: a crash now may forget it.",
                    Effect.UNKNOWN,
                    null);
        }
        if (others < count) {
            throw StoreException.unavailable(
                    doing + " reached " + others + " replicas of " + server + " within " + timeout.toMillis()
                            + " ms, but " + count + " are demanded: a failover now may forget it.",
                    Effect.UNKNOWN,
                    null);
        }
    }

    private static long number(Object value) {
        return value instanceof Long number ? number : 0;
    }

    String whom() {
        return synced ? "the append-only file" : "replicas";
    }
}
