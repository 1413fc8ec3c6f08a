package dev.refrain.observe;

/**
 * Hears everything observable, from every part of Refrain. Metrics, traces and logs are all listeners.
 *
 * <p>Called on the thread where it happens: be quick. What a listener throws is logged and changes nothing.
 */
@FunctionalInterface
public interface Listener {

    void on(Event event);

    /** Both, one after the other. */
    default Listener and(Listener other) {
        return event -> {
            on(event);
            other.on(event);
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
