package dev.refrain.observe;

/** Keeps a listener's faults from reaching the protocol. */
record ContainedListener(Listener inner) implements Listener {

    private static final System.Logger LOG = System.getLogger(Listener.class.getName());

    @Override
    public void on(Event event) {
        try {
            inner.on(event);
        } catch (Throwable e) {
            // An Error too, such as a class that a metrics library misses: it must not end a sender or a renewal.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A listener failed on " + event.getClass().getSimpleName(),
                    e);
        }
    }

    @Override
    public Watch begin(String operation) {
        return ContainedWatch.begin(inner, operation);
    }

    @Override
    public Listener contained() {
        return this;
    }
}
