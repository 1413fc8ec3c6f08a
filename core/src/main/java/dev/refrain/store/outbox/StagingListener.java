package dev.refrain.store.outbox;

/**
 * Listener to staged messages. Calls are prompt but may be too many, early, late or lost, so a listener must also poll. It must not block:
 * it is called by threads that stage and commit.
 */
@FunctionalInterface
public interface StagingListener {

    /**
     * Reports that messages were staged, and their transaction has committed.
     *
     * @param topic empty if it may be any topic
     */
    void committed(String topic);

    /**
     * Reports that a transaction of this process has staged a message, and that nobody will report its commit: it may commit soon, late, or
     * not at all. Does nothing by default.
     */
    default void staged(String topic) {}
}
