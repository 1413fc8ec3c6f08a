package dev.refrain.http.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where intents are kept until they are answered. Implementations are thread-safe, and let an intent be held by one sender
 * at a time.
 */
public interface PendingRequestStore {

    /**
     * Keeps a new intent and holds it. When this returns, the intent outlives whatever the implementation promises that it
     * outlives. If one is pending under the same key, that one is held instead, with the time at which it was first sent.
     *
     * @return empty if another holds it
     * @throws IOException if it could not be kept; then it must not be sent
     */
    Optional<PendingRequestLock> save(PendingRequest intent) throws IOException;

    /**
     * Holds an intent that is pending.
     *
     * @return empty if another holds it, or if there is none under this key any more
     */
    Optional<PendingRequestLock> acquire(String key) throws IOException;

    /** All that were not answered and are not held in this process; another process may be sending some of them. Oldest first. */
    List<PendingRequest> pending() throws IOException;

    /** Lost when the process ends. */
    static PendingRequestStore inMemory() {
        return new MemoryRequestStore();
    }

    /**
     * In a folder, one file for each: they outlive the process, and the machine if its disk does. Several processes can use
     * the folder at once. It must be on a disk of the machine itself, because file locks are what keeps senders apart, and be
     * opened from one class loader of a JVM only.
     *
     * @param folder is made if it is missing, and then readable for its owner only: request bodies are in there
     */
    static PendingRequestStore inFolder(Path folder) throws IOException {
        return FileRequestStore.in(folder);
    }

    /** The right to send an intent, which nobody else has now. */
    interface PendingRequestLock extends AutoCloseable {

        /** What is held: for a key that was pending already, not the one that was asked for. */
        PendingRequest request();

        /** Whether it was kept just now: nothing was sent under it before. */
        boolean isNew();

        /** It is answered: nothing is kept any more. */
        void complete() throws IOException;

        /** Gives it back. Unless it was answered it is pending, for this process or another. */
        @Override
        void close();
    }
}
