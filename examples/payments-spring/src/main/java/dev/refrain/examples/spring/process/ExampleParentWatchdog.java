package dev.refrain.examples.spring.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Ends this process when the process that started it ends, if that passed its process id. */
public final class ExampleParentWatchdog {

    static final String PROPERTY = "refrain.example.starter";

    /** The JDK's own {@code onExit} checks only every five seconds if the process is not a child. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private ExampleParentWatchdog() {}

    /** Starts watching. */
    public static void exitWithParent() {
        String starter = System.getProperty(PROPERTY, "");
        if (!starter.isEmpty()) {
            var process = ProcessHandle.of(Long.parseLong(starter));
            Thread.ofPlatform().daemon().name("starter").start(() -> {
                while (process.isPresent() && process.get().isAlive()) {
                    LockSupport.parkNanos(POLL_INTERVAL.toNanos());
                }
                System.exit(0);
            });
        }
    }
}
