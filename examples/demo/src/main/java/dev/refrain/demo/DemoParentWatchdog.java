package dev.refrain.demo;

import java.io.IOException;

/** The driver, as the processes that it started see it: it holds the other end of their standard input. */
final class DemoParentWatchdog {

    private DemoParentWatchdog() {}

    /** Ends this process when the driver has ended, however it did. */
    static void exitWithParent() {
        Thread.ofPlatform().daemon().name("starter").start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing is ever sent.
                }
            } catch (IOException gone) {
                // As good as an end.
            }
            Runtime.getRuntime().halt(0);
        });
    }
}
