package dev.refrain.cli;

import dev.refrain.verify.Result;
import java.io.PrintWriter;

/** Tells each result as it comes, so that a slow API does not look like a hung command. */
final class VerifyProgress {

    private final PrintWriter err;
    private final int all;
    private int done;

    VerifyProgress(PrintWriter err, int all) {
        this.err = err;
        this.all = all;
    }

    void report(Result result) {
        done++;
        String line = "[" + done + "/" + all + "] " + result.words().name() + ": "
                + result.verdict().label();
        err.println(line);
        err.flush();
    }
}
