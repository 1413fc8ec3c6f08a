package dev.refrain.spring.internal.transaction;

import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * Last synchronization of a transaction: flushes its entities, which would otherwise be written inside the commit, and reports that only
 * the COMMIT is left.
 */
final class WorkEndSynchronization implements TransactionSynchronization {

    private static final String FLUSH_MODE = "org.hibernate.flushMode";

    private final TransactionStatus status;
    private final Runnable workIsOver;
    private boolean flushed;

    WorkEndSynchronization(TransactionStatus status, Runnable workIsOver) {
        this.status = status;
        this.workIsOver = workIsOver;
    }

    /** Comes after all others: with the same order, the one that was registered last is called last. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        if (!isFlushedByHand()) {
            status.flush();
            flushed = true;
        }
    }

    @Override
    public void beforeCompletion() {
        if (flushed) {
            workIsOver.run();
        }
    }

    /** Returns true if an application flushes its entities itself: Hibernate's own mode, which a flush from outside would overrule. */
    private static boolean isFlushedByHand() {
        for (var resource : TransactionSynchronizationManager.getResourceMap().values()) {
            var entities = property(resource, "getEntityManager");
            if (entities != null
                    && property(entities, "getProperties") instanceof Map<?, ?> properties
                    && "MANUAL".equals(String.valueOf(properties.get(FLUSH_MODE)))) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Object property(Object owner, String getter) {
        Method asked = ReflectionUtils.findMethod(owner.getClass(), getter);
        if (asked == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(asked);
        return ReflectionUtils.invokeMethod(asked, owner);
    }
}
