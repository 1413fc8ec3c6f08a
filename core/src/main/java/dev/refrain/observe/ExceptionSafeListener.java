package dev.refrain.observe;
/** Logs exceptions of a listener, so that they do not reach the protocol. */
record ExceptionSafeListener(RefrainListener inner) implements RefrainListener {

    private static final System.Logger LOG = System.getLogger(RefrainListener.class.getName());

    @Override
    public void onEvent(RefrainEvent event) {
        try {
            inner.onEvent(event);
        } catch (Throwable e) {
            // Errors too, such as a missing class of a metrics library: they must not end a sender or a heartbeat.
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
