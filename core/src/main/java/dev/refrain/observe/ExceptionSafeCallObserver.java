package dev.refrain.observe;

import dev.refrain.api.RecordId;
import java.util.function.Supplier;

/** Logs exceptions of an observer, so that they do not reach the protocol. */
record ExceptionSafeCallObserver(CallObserver inner) implements CallObserver {

    private static final System.Logger LOG = System.getLogger(CallObserver.class.getName());

    static CallObserver begin(RefrainListener listener, String operation) {
        var watch = contained(() -> listener.onCall(operation), CallObserver.NONE);
        return watch.equals(CallObserver.NONE) ? watch : new ExceptionSafeCallObserver(watch);
    }

    @Override
    public ThreadScope openScope() {
        var here = contained(inner::openScope, CallObserver.NONE.openScope());
        return () -> contained(here::close);
    }

    @Override
    public void onEnd(CallEnd end) {
        contained(() -> inner.onEnd(end));
    }

    @Override
    public void onReplay(RecordId record) {
        contained(() -> inner.onReplay(record));
    }

    @Override
    public void onFailure(Throwable failure) {
        contained(() -> inner.onFailure(failure));
    }

    private static void contained(Runnable step) {
        contained(
                () -> {
                    step.run();
                    return true;
                },
                false);
    }

    private static <T> T contained(Supplier<T> step, T otherwise) {
        try {
            return step.get();
        } catch (Throwable e) {
            // Errors too, such as a missing class of a tracing library: they must not end a call.
            LOG.log(System.Logger.Level.WARNING, "A call observer failed", e);
            return otherwise;
        }
    }
}
