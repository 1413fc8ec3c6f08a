package dev.refrain.observe;
/** Keeps a listener's faults from reaching the protocol. */
record ExceptionSafeListener(RefrainListener inner) implements RefrainListener {

    private static final System.Logger LOG = System.getLogger(RefrainListener.class.getName());

    @Override
    public void onEvent(RefrainEvent event) {
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
    public CallObserver onCall(String operation) {
        return ExceptionSafeCallObserver.begin(inner, operation);
    }

    @Override
    public RefrainListener exceptionSafe() {
        return this;
    }
}
