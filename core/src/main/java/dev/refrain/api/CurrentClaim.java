package dev.refrain.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Claim under which the current thread works, for code deep inside the work: an interceptor of outgoing calls, or a handler that
 * controls what is stored. Work that continues on another thread must carry its claim there itself.
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

    /** Returns true if this thread's work commits together with its outcome, so that it must not call other systems. */
    public static boolean inTransaction() {
        for (var current = CURRENT.get(); current != null; current = current.around) {
            if (current.enterTransactional) {
                return true;
            }
        }
        return false;
    }

    /** Starts work under this claim on this thread; closing the result ends it. */
    public static CurrentClaim enterLeased(Claim claim) {
        return enter(claim, false);
    }

    /** Starts work under this claim inside a transaction. */
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
