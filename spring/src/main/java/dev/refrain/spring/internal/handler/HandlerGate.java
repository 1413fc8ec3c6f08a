package dev.refrain.spring.internal.handler;

import dev.refrain.api.Claim;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.web.method.HandlerMethod;

/**
 * Tracks whether the handler of one request may have started. Without proof it counts as started: a key is released only by proof
 * that the handler was not entered, and then the handler can no longer be entered.
 * <pre>
 * AHEAD ──── past the last filter or interceptor ────▶ ARRIVED ──── anything else is seen of it ────▶ BEGUN
 *   └─ a filter or an interceptor refused ─▶ REFUSED      └─ an argument or an advice failed ─▶ REFUSED
 * </pre>
 *
 * <p>Each proof comes from our own code between the request and its handler, in MVC and in WebFlux; where a request bypasses it,
 * there is no proof. Neither the type of an exception nor its stack trace is one. Thread-safe.
 */
public final class HandlerGate {

    /** Attribute of a request or an exchange that holds its gate. */
    public static final String ATTRIBUTE = HandlerGate.class.getName();

    private enum Progress {
        AHEAD,
        ARRIVED,
        BEGUN,
        REFUSED
    }

    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.AHEAD);
    private final Supplier<Optional<Claim>> claim;
    private final @Nullable Method handler;

    /**
     * @param handler the handler that was found for the request when its key was claimed
     * @param claim the claim of the request, as soon as it has one
     */
    public HandlerGate(Object handler, Supplier<Optional<Claim>> claim) {
        this.handler = handler instanceof HandlerMethod annotated
                ? BridgeMethodResolver.findBridgedMethod(annotated.getMethod())
                : null;
        this.claim = claim;
    }

    /**
     * Records that nothing of the application is left before the handler but its arguments and its advice. A second arrival, in a
     * nested or later dispatch, counts as started.
     */
    public void arrive() {
        if (!progress.compareAndSet(Progress.AHEAD, Progress.ARRIVED)) {
            begin();
        }
    }

    /** Returns true if the request arrived, is not known to have started, and this is the method of its handler. */
    public boolean isBefore(@Nullable Method method) {
        return progress.get() == Progress.ARRIVED && method != null && method.equals(handler);
    }

    /** Records that the handler is entered, or may be. */
    public void begin() {
        if (progress.updateAndGet(now -> now == Progress.REFUSED ? now : Progress.BEGUN) == Progress.REFUSED) {
            throw new IllegalStateException(
                    "Handler not run: the request was rejected before, and its idempotency key is already released. Retry the request.");
        }
    }

    /** Records that something else continues the request, which may start the handler. */
    public void assumeBegun() {
        progress.updateAndGet(now -> now == Progress.REFUSED ? now : Progress.BEGUN);
    }

    /** Records the proof that the request returned without arriving. */
    public void refuseAhead() {
        refuse(Progress.AHEAD);
    }

    /** Records the proof that Spring failed after the request arrived and before it called the handler. */
    public void refuseArrived() {
        refuse(Progress.ARRIVED);
    }

    private void refuse(Progress expected) {
        if (progress.compareAndSet(expected, Progress.REFUSED)) {
            claim.get().ifPresent(HandlerGate::releaseKey);
        }
    }

    private static void releaseKey(Claim claim) {
        claim.doNotKeepAnswer();
        claim.declareNoEffect();
    }
}
