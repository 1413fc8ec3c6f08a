package dev.refrain.observe;

import dev.refrain.key.RecordId;
import java.util.Optional;
import java.util.function.Supplier;

/** Keeps a watch's faults from reaching the protocol. */
record ContainedWatch(Watch inner) implements Watch {

    private static final System.Logger LOG = System.getLogger(Watch.class.getName());

    static Watch begin(Listener listener, String operation) {
        var watch = contained(() -> listener.onCall(operation), Watch.NONE);
        return watch.equals(Watch.NONE) ? watch : new ContainedWatch(watch);
    }

    @Override
    public Here openScope() {
        var here = contained(inner::openScope, Watch.NONE.openScope());
        return () -> contained(here::close);
    }

    @Override
    public void onEnd(End end, Optional<RecordId> record) {
        contained(() -> inner.onEnd(end, record));
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
            // An Error too, such as a class that a tracing library misses: it must not end a call.
            LOG.log(System.Logger.Level.WARNING, "A watch failed", e);
            return otherwise;
        }
    }
}
