package dev.refrain.observe;

/** Keeps a listener's faults from reaching the protocol. */
record ContainedListener(Listener inner) implements Listener {

    private static final System.Logger LOG = System.getLogger(Listener.class.getName());

    @Override
    public void onEvent(Event event) {
        try {
            inner.onEvent(event);
        } catch (Throwable e) {
            // An Error too, such as a class that a metrics library misses: it must not end a sender or a renewal.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A listener failed on " + event.getClass().getSimpleName(),
                    e);
        }
    }

    @Override
    public Watch onCall(String operation) {
        return ContainedWatch.begin(inner, operation);
    }

    @Override
    public Listener exceptionSafe() {
        return this;
    }
}
