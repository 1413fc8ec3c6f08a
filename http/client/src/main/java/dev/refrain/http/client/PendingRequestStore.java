package dev.refrain.http.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Store of requests that have no final response yet. Implementations must be thread-safe and let one sender at a time
 * lock a request.
 */
public interface PendingRequestStore {

    /**
     * Saves a new request and locks it. When this returns, the request survives whatever the implementation promises to
     * survive. If a request is pending under the same key, that one is locked instead, with its original {@code
     * firstSent}.
     *
     * @return empty if someone else has locked it
     * @throws IOException if it could not be saved; it must then not be sent
     */
    Optional<PendingRequestLock> save(PendingRequest intent) throws IOException;

    /**
     * Locks a pending request.
     *
     * @return empty if someone else has locked it, or if no request is pending under this key
     */
    Optional<PendingRequestLock> acquire(String key) throws IOException;

    /**
     * Lists the pending requests that this process has not locked, oldest first. Another process may be sending some of
     * them.
     */
    List<PendingRequest> pending() throws IOException;

    /** Creates a store in memory, which is lost when the process ends. */
    static PendingRequestStore inMemory() {
        return new MemoryRequestStore();
    }

    /**
     * Creates a store in a directory, with one file per request. Pending requests survive the process, and the machine
     * if its disk does. Several processes can share the directory. It must be on a local disk, because file locks keep
     * the senders apart, and must be used from a single class loader of a JVM.
     *
     * @param folder the directory; created if it is missing, and then readable by its owner only, because it contains
     *     request bodies
     */
    static PendingRequestStore inFolder(Path folder) throws IOException {
        return FileRequestStore.in(folder);
    }

    /** Exclusive right to send a pending request. */
    interface PendingRequestLock extends AutoCloseable {

        /** Returns the locked request. If the key was pending already, this is not the request that was passed in. */
        PendingRequest request();

        /** Returns whether the request was saved just now, so that nothing was sent under its key before. */
        boolean isNew();

        /** Removes the request, because it has a final response. */
        void complete() throws IOException;

        /** Releases the lock. Unless completed, the request stays pending for this process or another. */
        @Override
        void close();
    }
}
