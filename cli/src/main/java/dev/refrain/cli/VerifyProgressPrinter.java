package dev.refrain.cli;

import dev.refrain.verify.VerifyCaseResult;
import java.io.PrintWriter;

/** Tells each result as it comes, so that a slow API does not look like a hung command. */
final class VerifyProgressPrinter {

    private final PrintWriter err;
    private final int all;
    private int done;

    VerifyProgressPrinter(PrintWriter err, int all) {
        this.err = err;
        this.all = all;
    }

    void report(VerifyCaseResult result) {
        done++;
        String line = "[" + done + "/" + all + "] " + result.words().name() + ": "
                + result.verdict().label();
        err.println(line);
        err.flush();
    }
}
