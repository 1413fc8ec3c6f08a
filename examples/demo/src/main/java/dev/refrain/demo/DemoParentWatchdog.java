package dev.refrain.demo;

import java.io.IOException;

/** Ends this process when the process that started it ends. The parent holds the other end of standard input. */
final class DemoParentWatchdog {

    private DemoParentWatchdog() {}

    /** Starts watching. */
    static void exitWithParent() {
        Thread.ofPlatform().daemon().name("starter").start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // The parent never sends anything.
                }
            } catch (IOException gone) {
                // The parent is gone.
            }
            Runtime.getRuntime().halt(0);
        });
    }
}
