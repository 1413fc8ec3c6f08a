package dev.refrain.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claim under which this thread works now, for whoever is called deep inside the work: an interceptor of outgoing calls, a
 * handler that steers what is kept of its answer. Work that goes on on another thread has to carry its claim there itself.
 */
public final class CurrentClaim implements AutoCloseable {

    private static final ThreadLocal<CurrentClaim> CURRENT = new ThreadLocal<>();

    private final Claim claim;
    private final boolean enterTransactional;
    private final @Nullable CurrentClaim around;

    private CurrentClaim(Claim claim, boolean transactional, @Nullable CurrentClaim around) {
        this.claim = claim;
        this.enterTransactional = transactional;
        this.around = around;
    }

    public static Optional<Claim> get() {
        return Optional.ofNullable(CURRENT.get()).map(current -> current.claim);
    }

    /** Whether this thread's work commits together with its outcome: then a call to another system does not belong here. */
    public static boolean inTransaction() {
        for (var current = CURRENT.get(); current != null; current = current.around) {
            if (current.enterTransactional) {
                return true;
            }
        }
        return false;
    }

    /** Work under this claim begins on this thread, and ends when this is closed. */
    public static CurrentClaim enterLeased(Claim claim) {
        return enter(claim, false);
    }

    /** The same inside a transaction. */
    public static CurrentClaim enterTransactional(Claim claim) {
        return enter(claim, true);
    }

    private static CurrentClaim enter(Claim claim, boolean transactional) {
        var current = new CurrentClaim(claim, transactional, CURRENT.get());
        CURRENT.set(current);
        return current;
    }

    @Override
    public void close() {
        if (around == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(around);
        }
    }
}
