package dev.refrain.cli;

import dev.refrain.verify.VerifyCaseResult;
import java.io.PrintWriter;

/** Prints each result as it arrives, so that a slow API does not look like a hung command. */
final class VerifyProgressPrinter {

    private final PrintWriter err;
    private final int total;
    private int done;

    VerifyProgressPrinter(PrintWriter err, int total) {
        this.err = err;
        this.total = total;
    }

    void report(VerifyCaseResult result) {
        done++;
        String line = "[" + done + "/" + total + "] " + result.description().name() + ": "
                + result.verdict().label();
        err.println(line);
        err.flush();
    }
}
