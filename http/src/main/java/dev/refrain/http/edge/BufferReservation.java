package dev.refrain.http.edge;

import dev.refrain.http.edge.BufferBudget.BufferOwner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Part of a {@link BufferBudget} that one exchange holds, from the first byte of its request that is read until the last byte of its response
 * is written. Thread-safe.
 *
 * <p>Who opens it closes it. Another thread that may outlive the opener, such as a handler that goes on when its client has disconnected, calls
 * {@link #retain} and closes it too: it is given back with the last {@link #close}.
 */
public final class BufferReservation implements AutoCloseable {

    private final BufferBudget budget;
    private final ReentrantLock lock;
    private List<BufferOwner> owners;
    private long held;
    private int users = 1;

    BufferReservation(BufferBudget budget, BufferOwner peer) {
        this.budget = budget;
        this.lock = budget.lock();
        this.owners = List.of(peer);
    }

    List<BufferOwner> owners() {
        return owners;
    }

    long held() {
        return held;
    }

    /** Names the scope whose share counts too. */
    void ownedBy(String scope) {
        lock.lock();
        try {
            if (owners.size() == 1) {
                var owner = new BufferOwner.Scope(scope);
                owners = List.of(owners.getFirst(), owner);
                if (held > 0) {
                    budget.share(List.of(owner), held);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Reserves memory for a body of this length, which is about to be read; returns false if there is none at the moment. */
    public boolean tryReserve(long length) {
        return tryReserve(length, Duration.ZERO);
    }

    /**
     * Reserves memory for a response that comes from another process and can be left there: waits until there is some. A response of up to 16
     * KiB is only counted, so that a flood of large bodies does not keep it from being stored.
     *
     * <p>Waiting ends with the patience, and a request that waited in vain goes on without memory. So those who wait for each other, each with its
     * request in memory, wait no longer than that.
     *
     * @return false if there was none in time, or the thread was interrupted
     */
    public boolean awaitReserve(long length, Duration patience) {
        if (length <= BufferBudget.SMALL) {
            count(length);
            return true;
        }
        return tryReserve(length, patience);
    }

    private boolean tryReserve(long length, Duration patience) {
        long bytes = BufferBudget.heapBytes(length);
        lock.lock();
        try {
            if (bytes > 0 && !budget.tryTake(this, bytes, patience)) {
                return false;
            }
            held += bytes;
            if (users == 0) {
                // Closed while this thread waited.
                releaseAll();
                return false;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Holds a stored response that was just loaded until it is sent; returns false if there is no memory for it and it has to be dropped. A
     * response of up to 16 KiB is only counted.
     */
    boolean tryHold(long length) {
        return awaitReserve(length, Duration.ZERO);
    }

    /** Counts a body of this length that is in memory already, whatever is free. */
    public void count(long length) {
        long bytes = BufferBudget.heapBytes(length);
        lock.lock();
        try {
            if (users > 0 && bytes > 0) {
                budget.take(owners, bytes);
                held += bytes;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives back the memory of a body of this length, which was reserved or counted as one. */
    public void giveBack(long length) {
        lock.lock();
        try {
            long bytes = Math.min(held, BufferBudget.heapBytes(length));
            if (bytes > 0) {
                budget.release(owners, bytes);
                held -= bytes;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the turns that large bodies take to be parsed. */
    LargeBodyTurns turns() {
        return budget.turns();
    }

    /** Lets another thread use this reservation until it has closed it, even if everything was given back already. */
    public BufferReservation retain() {
        lock.lock();
        try {
            users++;
            return this;
        } finally {
            lock.unlock();
        }
    }

    /** Gives everything back, if this is the last user. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (users > 0 && --users == 0) {
                releaseAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void releaseAll() {
        if (held > 0) {
            budget.release(owners, held);
            held = 0;
        }
    }
}
