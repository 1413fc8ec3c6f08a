package dev.refrain.store.redis;

import dev.refrain.store.StoreException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Refuses claims while a server may delete records. What was checked at start may be otherwise on a replica that was promoted and on a server
 * that was restarted, so each new connection has the policy read again before the next claim, and so has each sweep. Thread-safe.
 */
final class EvictionGuard {

    private static final System.Logger LOG = System.getLogger(EvictionGuard.class.getName());
    private static final int NEVER = -1;

    private final RedisLink link;
    private final RedisScriptConnection connection;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile int checked = NEVER;
    private volatile boolean refusing;

    /** @param connection that of the claims, on which the servers are asked */
    EvictionGuard(RedisLink link, RedisScriptConnection connection) {
        this.link = link;
        this.connection = connection;
    }

    /**
     * Requires that no server evicts. Costs nothing unless a connection was opened since it was asked last.
     *
     * @throws StoreException without effect, if one does, or cannot be asked
     */
    void requireNoEviction() {
        if (link.connectionsOpened() == checked) {
            return;
        }
        asking.lock();
        try {
            String doing = "Claiming keys";
            connection.requireOpen(doing);
            int opened = link.connectionsOpened();
            if (opened != checked) {
                connection.readServers(doing).refuseEviction();
                checked = opened;
                refusing = false;
            }
        } catch (StoreException refusal) {
            if (!refusal.isTransient()) {
                warnOnce(refusal);
                throw StoreException.unavailable(
                        String.valueOf(refusal.getMessage()), StoreException.Effect.NONE, refusal);
            }
            throw refusal;
        } finally {
            asking.unlock();
        }
    }

    private void warnOnce(StoreException refusal) {
        if (!refusing) {
            refusing = true;
            LOG.log(System.Logger.Level.ERROR, "No key is claimed. " + refusal.getMessage());
        }
    }

    /** Has the policy read again before the next claim. */
    void checkAgain() {
        checked = NEVER;
    }
}
