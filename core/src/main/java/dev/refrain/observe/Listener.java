package dev.refrain.observe;

/**
 * Hears everything observable, from every part of Refrain. Metrics, traces and logs are all listeners.
 *
 * <p>Called on the thread where it happens: be quick. What a listener throws is logged and changes nothing.
 */
@FunctionalInterface
public interface Listener {

    void onEvent(Event event);

    /** A call of this operation begins, on this thread. What is returned follows it to its end. */
    default Watch onCall(String operation) {
        return Watch.NONE;
    }

    /** Both, one after the other; what one throws does not keep the event from the other. */
    default Listener and(Listener other) {
        var first = exceptionSafe();
        var second = other.exceptionSafe();
        return new Listener() {
            @Override
            public void onEvent(Event event) {
                first.onEvent(event);
                second.onEvent(event);
            }

            @Override
            public Watch onCall(String operation) {
                return first.onCall(operation).and(second.onCall(operation));
            }
        };
    }

    static Listener none() {
        return event -> {};
    }

    /** The same listener, made harmless: what it throws is logged, once for each event. */
    default Listener exceptionSafe() {
        return new ContainedListener(this);
    }
}
