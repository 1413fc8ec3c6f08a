package dev.refrain.cli;

import java.io.PrintWriter;
import java.time.Duration;

/** Says now and then how far long work has come. */
final class ProgressPrinter {

    private static final Duration TOLD_EVERY = Duration.ofSeconds(2);

    private final PrintWriter err;
    private final String deed;
    private long told = System.nanoTime();

    /** @param deed as a participle: what is done to each */
    ProgressPrinter(PrintWriter err, String deed) {
        this.err = err;
        this.deed = deed;
    }

    void report(long soFar) {
        if (System.nanoTime() - told > TOLD_EVERY.toNanos()) {
            told = System.nanoTime();
            err.println(deed + " " + soFar + " so far…");
            err.flush();
        }
    }
}
