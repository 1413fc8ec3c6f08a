package dev.refrain.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Shows progress on standard error: a bar on a terminal, a line per result elsewhere. */
final class BenchmarkProgress {

    private static final int WIDTH = 30;

    private final PrintStream err;
    private final boolean terminal;
    private final int cases;
    private final boolean judged;
    private final long begun = System.nanoTime();
    private int done;

    BenchmarkProgress(PrintStream err, boolean terminal, int cases, boolean judged) {
        this.err = err;
        this.terminal = terminal;
        this.cases = cases;
        this.judged = judged;
    }

    /** Returns whether standard error is a terminal, which only the shell can tell. */
    static boolean isTerminal() {
        try {
            return new ProcessBuilder("test", "-t", "2").inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void starting() {
        if (terminal) {
            draw(0, "starting PostgreSQL");
        } else {
            err.println("Starting PostgreSQL…");
        }
    }

    CaseProgressListener begin(String name) {
        if (!terminal) {
            err.println("Measuring " + name + "…");
            return (step, of, note) -> {};
        }
        return (step, of, note) -> draw((done + step / (double) of) / cases, name + ": " + note);
    }

    void end(BenchmarkResult result) {
        done++;
        clear();
        err.println(elapsed() + "  " + BenchmarkTable.line(result, judged));
    }

    void clear() {
        if (terminal) {
            err.print("\r\u001b[K");
            err.flush();
        }
    }

    private void draw(double share, String note) {
        int full = (int) (share * WIDTH);
        err.printf(
                Locale.ROOT,
                "\r\u001b[K%s%s %3.0f %%  %s  %s",
                "█".repeat(full),
                "░".repeat(WIDTH - full),
                share * 100,
                elapsed(),
                note);
        err.flush();
    }

    private String elapsed() {
        var time = Duration.ofNanos(System.nanoTime() - begun);
        return String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
    }
}
