package dev.refrain.examples.spring.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The process that started this one, if it said so. */
public final class ExampleParentWatchdog {

    static final String PROPERTY = "refrain.example.starter";

    /** The JDK's own {@code onExit} looks every five seconds at a process that is not a child. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private ExampleParentWatchdog() {}

    /** Ends this process when the one that started it is gone, in whatever way. */
    public static void exitWithParent() {
        String starter = System.getProperty(PROPERTY, "");
        if (!starter.isEmpty()) {
            var process = ProcessHandle.of(Long.parseLong(starter));
            Thread.ofPlatform().daemon().name("starter").start(() -> {
                while (process.isPresent() && process.get().isAlive()) {
                    LockSupport.parkNanos(LOOK.toNanos());
                }
                System.exit(0);
            });
        }
    }
}
