package dev.refrain.observe;
/**
 * Receives all observable events of Refrain. Metrics, traces and logs are listeners.
 *
 * <p>Called on the thread of the event: be quick. Exceptions are logged and have no effect.
 */
@FunctionalInterface
public interface RefrainListener {

    void onEvent(RefrainEvent event);

    /** Called when a call of this operation begins, on this thread. The returned observer follows it to its end. */
    default CallObserver onCall(String operation) {
        return CallObserver.NONE;
    }

    /** Combines two listeners; an exception of one does not keep the event from the other. */
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

    /**
     * Returns the listener for one of several stores of an application. By default the same one listens to all of them; metrics return one
     * whose meters say which store they are about.
     *
     * @param name name of the store in the application; {@code default} for the one without a name
     */
    default RefrainListener forStore(String name) {
        return this;
    }

    static RefrainListener none() {
        return event -> {};
    }

    /** Returns this listener with its exceptions logged instead of thrown. */
    default RefrainListener exceptionSafe() {
        return new ExceptionSafeListener(this);
    }
}
