package dev.refrain.trials.simulation.machine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;

/**
 * Virtual threads whose every step runs on our executor, so that blocking code runs, unchanged, in an order that a seed decides.
 *
 * <p>The JDK can do this and does not offer it: hence {@code --add-opens java.base/java.lang=ALL-UNNAMED}. The rejected
 * alternative, platform threads that pass a baton, needs no such flag and is fifty times slower.
 */
final class DeterministicThreads {

    private static final MethodHandle MAKE = find();

    private DeterministicThreads() {}

    static void start(Executor scheduler, String name, Runnable body) {
        try {
            ((Thread) MAKE.invoke(scheduler, name, 0, body)).start();
        } catch (Throwable e) {
            throw new IllegalStateException("Starting the simulated thread " + name, e);
        }
    }

    private static MethodHandle find() {
        try {
            var builders = Class.forName("java.lang.ThreadBuilders");
            return MethodHandles.privateLookupIn(builders, MethodHandles.lookup())
                    .findStatic(
                            builders,
                            "newVirtualThread",
                            MethodType.methodType(
                                    Thread.class, Executor.class, String.class, int.class, Runnable.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "The simulation schedules virtual threads itself: run it on JDK 21 to 25 with"
                            + " --add-opens java.base/java.lang=ALL-UNNAMED.",
                    e);
        }
    }
}
