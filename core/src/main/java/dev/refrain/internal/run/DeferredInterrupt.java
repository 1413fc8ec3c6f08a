package dev.refrain.internal.run;

import java.util.function.Supplier;

/** Defers an interrupt that work left behind: it would close the socket that the outcome is to be written on. */
final class DeferredInterrupt {

    private DeferredInterrupt() {}

    /** Takes a step without the thread's interrupt, which is set again afterwards. */
    static <T> T during(Supplier<T> step) {
        boolean interrupted = Thread.interrupted();
        try {
            return step.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
