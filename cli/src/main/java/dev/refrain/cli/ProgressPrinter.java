package dev.refrain.cli;

import java.io.PrintWriter;
import java.time.Duration;

/** Prints the progress of a long operation every two seconds. Not thread-safe. */
final class ProgressPrinter {

    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final PrintWriter err;
    private final String deed;
    private long lastPrinted = System.nanoTime();

    /**
     * Creates a printer that starts counting now.
     *
     * @param deed the past participle to print, for example {@code Reaped}
     */
    ProgressPrinter(PrintWriter err, String deed) {
        this.err = err;
        this.deed = deed;
    }

    void report(long soFar) {
        if (System.nanoTime() - lastPrinted > INTERVAL.toNanos()) {
            lastPrinted = System.nanoTime();
            err.println(deed + " " + soFar + " so far…");
            err.flush();
        }
    }
}
