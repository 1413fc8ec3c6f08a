package dev.refrain.observe;

/**
 * Hears everything observable, from every part of Refrain. Metrics, traces and logs are all listeners.
 *
 * <p>Called on the thread where it happens: be quick. What a listener throws is logged and changes nothing.
 */
@FunctionalInterface
public interface Listener {

    void on(Event event);

    /** A call of this operation begins, on this thread. What is returned follows it to its end. */
    default Watch begin(String operation) {
        return Watch.NONE;
    }

    /** Both, one after the other; what one throws does not keep the event from the other. */
    default Listener and(Listener other) {
        var first = contained();
        var second = other.contained();
        return new Listener() {
            @Override
            public void on(Event event) {
                first.on(event);
                second.on(event);
            }

            @Override
            public Watch begin(String operation) {
                return first.begin(operation).and(second.begin(operation));
            }
        };
    }

    static Listener none() {
        return event -> {};
    }

    /** The same listener, made harmless: what it throws is logged, once for each event. */
    default Listener contained() {
        return new ContainedListener(this);
    }
}
