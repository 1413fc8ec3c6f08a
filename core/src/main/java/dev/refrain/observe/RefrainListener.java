package dev.refrain.observe;
/**
 * Hears everything observable, from every part of Refrain. Metrics, traces and logs are all listeners.
 *
 * <p>Called on the thread where it happens: be quick. What a listener throws is logged and changes nothing.
 */
@FunctionalInterface
public interface RefrainListener {

    void onEvent(RefrainEvent event);

    /** A call of this operation begins, on this thread. What is returned follows it to its end. */
    default CallObserver onCall(String operation) {
        return CallObserver.NONE;
    }

    /** Both, one after the other; what one throws does not keep the event from the other. */
    default RefrainListener and(RefrainListener other) {
        var first = exceptionSafe();
        var second = other.exceptionSafe();
        return new RefrainListener() {
            @Override
            public void onEvent(RefrainEvent event) {
                first.onEvent(event);
                second.onEvent(event);
            }

            @Override
            public CallObserver onCall(String operation) {
                return first.onCall(operation).and(second.onCall(operation));
            }
        };
    }

    static RefrainListener none() {
        return event -> {};
    }

    /** The same listener, made harmless: what it throws is logged, once for each event. */
    default RefrainListener exceptionSafe() {
        return new ExceptionSafeListener(this);
    }
}
