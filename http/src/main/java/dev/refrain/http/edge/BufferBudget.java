package dev.refrain.http.edge;

import dev.refrain.http.RoutePolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory in which an instance buffers bodies: requests, responses and replays of all routes together. Thread-safe.
 *
 * <p>A budget needs no setting per tenant, because the share of an owner depends on what is free. Owners are scopes, and separately the
 * addresses of peers:
 *
 * <ul>
 *   <li>A scope may hold as much as is free after its reservation: one alone half of the budget, two a third each.
 *   <li>An address may hold four times that, because it may be that of a load balancer with many tenants behind it: four fifths, however many scopes
 *       its clients invent.
 *   <li>A small body, up to 16 KiB, passes as long as its owners hold at most four times as much as they may of large ones: honest small requests
 *       pass while somebody sends large ones, even from the same scope and the same address.
 *   <li>If nothing else is held, any body that fits into the budget passes.
 * </ul>
 *
 * <p>Counted is what a body takes up in the heap. From half a MiB on these are whole MiB, because the G1 collector of a small heap puts such
 * arrays into regions of their own.
 */
public final class BufferBudget {

    /** The largest body that counts as small. */
    static final int SMALL = 16 << 10;

    private static final int SMALL_SHARE = 4;
    private static final int PEER_SHARES = 4;
    private static final int HEAP_SHARE = 4;
    private static final int REGION = 1 << 20;
    private static final int ARRAY_HEADER = 16;

    /** Bytes of the budget for which one large body may be parsed: parsed it takes up to thirty times its size. */
    private static final long BYTES_PER_PARSER = 64L << 20;

    private final long maxBytes;
    private final LargeBodyTurns turns;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<BufferOwner, Long> held = new HashMap<>();
    private long total;

    /** Owner of buffered bytes. */
    sealed interface BufferOwner {

        /** Returns how many shares it may hold. */
        int shares();

        record Scope(String name) implements BufferOwner {

            @Override
            public int shares() {
                return 1;
            }
        }

        record Peer(String address) implements BufferOwner {

            @Override
            public int shares() {
                return PEER_SHARES;
            }
        }
    }

    private BufferBudget(long maxBytes) {
        this.maxBytes = maxBytes;
        this.turns = new LargeBodyTurns(Math.clamp(maxBytes / BYTES_PER_PARSER, 1, Integer.MAX_VALUE));
    }

    /** Creates a budget of a quarter of the largest heap. */
    public static BufferBudget ofHeap() {
        return new BufferBudget(Math.max(1, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
    }

    /**
     * Creates a budget of this size.
     *
     * @throws IllegalArgumentException if the size is not positive
     */
    public static BufferBudget of(long maxBytes) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException(
                    "refrain.max-buffered-bytes is " + maxBytes + ", but may be 1 byte or more, such as 64MB.");
        }
        return new BufferBudget(maxBytes);
    }

    /**
     * Requires that the largest request and the largest kept response of a route fit: the route would refuse them for ever.
     *
     * @param route the name of the route, for the message
     * @throws IllegalArgumentException if one of them does not fit
     */
    public void requireRoom(String route, RoutePolicy policy) {
        requireRoom(route, "max-request-bytes", policy.request().maxRequestBytes());
        requireRoom(route, "max-outcome-bytes", policy.replay().maxOutcomeBytes());
    }

    private void requireRoom(String route, String setting, int largest) {
        // Twice: one that grows is copied, and one that needs all of it would never find an instance without other
        // requests.
        if (2 * heapBytes(largest) > maxBytes) {
            throw new IllegalArgumentException(setting + " of " + route + " is " + largest + ", for which up to "
                    + 2 * heapBytes(largest) + " bytes are needed, but refrain.max-buffered-bytes is " + maxBytes
                    + " (by default a quarter of the heap). Raise it, give the process more heap, or lower " + setting
                    + ".");
        }
    }

    /**
     * Opens the reservation of one exchange, which holds nothing yet.
     *
     * @param peer the address from which the request came
     */
    public BufferReservation open(String peer) {
        return new BufferReservation(this, new BufferOwner.Peer(peer));
    }

    /** Returns the size of the budget. */
    public long maxBytes() {
        return maxBytes;
    }

    /** Returns the bytes that are held now; more than the budget while handlers in this process answer with more than is free. */
    public long heldBytes() {
        lock.lock();
        try {
            return total;
        } finally {
            lock.unlock();
        }
    }

    LargeBodyTurns turns() {
        return turns;
    }

    /** Returns what an array of this many bytes takes up in the heap. */
    static long heapBytes(long length) {
        return length < REGION / 2 - ARRAY_HEADER ? length : Math.ceilDiv(length + ARRAY_HEADER, REGION) * REGION;
    }

    /** Returns the lock that guards this budget and all its reservations. */
    ReentrantLock lock() {
        return lock;
    }

    /**
     * Takes bytes, if they are free and the shares of the owners allow it. Called under the lock.
     *
     * @param patience how long to wait, without the lock, for others to release theirs
     */
    boolean tryTake(BufferReservation reservation, long bytes, Duration patience) {
        long left = patience.toNanos();
        try {
            while (!admits(reservation, bytes)) {
                if (left <= 0) {
                    return false;
                }
                left = freed.awaitNanos(left);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
        take(reservation.owners(), bytes);
        return true;
    }

    private boolean admits(BufferReservation reservation, long bytes) {
        long free = maxBytes - total - bytes;
        long own = reservation.held();
        if (free < 0) {
            return false;
        }
        if (total == own) {
            return true;
        }
        long share = own + bytes <= SMALL ? free * SMALL_SHARE : free;
        return reservation.owners().stream()
                .allMatch(owner -> held.getOrDefault(owner, 0L) + bytes <= share * owner.shares());
    }

    /** Takes bytes, whatever is free. Called under the lock. */
    void take(List<BufferOwner> owners, long bytes) {
        total += bytes;
        share(owners, bytes);
    }

    /** Counts bytes that are held as those of further owners. Called under the lock. */
    void share(List<BufferOwner> owners, long bytes) {
        owners.forEach(owner -> held.merge(owner, bytes, Long::sum));
    }

    /** Releases bytes. Called under the lock. */
    void release(List<BufferOwner> owners, long bytes) {
        total -= bytes;
        owners.forEach(owner -> held.computeIfPresent(owner, (o, had) -> had <= bytes ? null : had - bytes));
        freed.signalAll();
    }
}
