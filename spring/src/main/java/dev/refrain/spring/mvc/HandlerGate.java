package dev.refrain.spring.mvc;

import dev.refrain.api.Claim;
import dev.refrain.http.servlet.RefrainFilter;
import jakarta.servlet.ServletRequest;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.web.method.HandlerMethod;

/**
 * Knows whether the handler of one request may have begun. What is not known has begun: a key is freed only by proof that the handler was
 * not entered, and then it is not let in any more.
 *
 * <pre>
 * AHEAD ──── the last interceptor lets it through ────▶ ARRIVED ──── anything else is seen of it ────▶ BEGUN
 *   └─ a filter or an interceptor refused ─▶ REFUSED      └─ an argument or an advice failed ─▶ REFUSED
 * </pre>
 *
 * <p>Each proof comes from code of ours that stands between the request and its handler, see {@link HandlerGateFilter}, {@link
 * HandlerArgumentGate} and {@link HandlerAdviceGate}: where one of them is not reached, there is no proof. Thread-safe.
 */
final class HandlerGate {

    private static final String ATTRIBUTE = HandlerGate.class.getName();

    private enum Progress {
        AHEAD,
        ARRIVED,
        BEGUN,
        REFUSED
    }

    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.AHEAD);
    private volatile @Nullable Method handler;

    /** For a request that can come to its handler only through the last interceptor. */
    static void attachTo(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, new HandlerGate());
    }

    static Optional<HandlerGate> of(ServletRequest request) {
        return Optional.ofNullable((HandlerGate) request.getAttribute(ATTRIBUTE));
    }

    /** The last interceptor is reached. Who comes a second time, in a dispatch inside the first or after it, has begun. */
    void arrive(Object arrivedAt) {
        if (arrivedAt instanceof HandlerMethod method) {
            handler = BridgeMethodResolver.findBridgedMethod(method.getMethod());
        }
        if (!progress.compareAndSet(Progress.AHEAD, Progress.ARRIVED)) {
            begin();
        }
    }

    /** Whether this is what the request arrived at, and it is not known to have begun. */
    boolean isBefore(@Nullable Method method) {
        return progress.get() == Progress.ARRIVED && method != null && method.equals(handler);
    }

    /** The handler is entered, or may be. */
    void begin() {
        if (progress.updateAndGet(now -> now == Progress.REFUSED ? now : Progress.BEGUN) == Progress.REFUSED) {
            throw new IllegalStateException(
                    "This request was refused before its handler began, so its idempotency key is free. It is not run after that.");
        }
    }

    /** Something else goes on with the request. */
    void assumeBegun() {
        progress.updateAndGet(now -> now == Progress.REFUSED ? now : Progress.BEGUN);
    }

    /** Proof that the request has come back without having reached the last interceptor. */
    void refuseAhead(ServletRequest request) {
        refuse(Progress.AHEAD, request);
    }

    /** Proof that Spring has failed on its way from the last interceptor to the handler. */
    void refuseArrived(ServletRequest request) {
        refuse(Progress.ARRIVED, request);
    }

    private void refuse(Progress expected, ServletRequest request) {
        if (progress.compareAndSet(expected, Progress.REFUSED)) {
            RefrainFilter.claim(request).ifPresent(HandlerGate::releaseKey);
        }
    }

    private static void releaseKey(Claim claim) {
        claim.doNotKeepAnswer();
        claim.declareNoEffect();
    }
}
