package dev.refrain.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Kills an application at every crash point of one request, each time in an environment of its own, lets it recover, and checks the effects.
 *
 * {@snippet :
 * CrashReport report = CrashMatrix.of(() -> new OrdersTrial(freshDatabase())).run();
 * report.assertSurvived();
 * }
 *
 * <p>Crash points lie before and after each JDBC statement, commit and rollback, before each call of another system and after its reply. A
 * first run without crash finds them.
 *
 * <p>Immutable.
 *
 * @param <T> the kind of trial: in this JVM or in another process
 */
public final class CrashMatrix<T extends CrashTrial> {

    private static final Duration WITHIN = Duration.ofMinutes(2);

    /** Selection of crash points. */
    @FunctionalInterface
    private interface PointFilter {
        boolean test(int number, CrashPoint boundary);
    }

    private final Callable<? extends T> trials;
    private final Callable<? extends CrashRunner<? super T>> runners;
    private final PointFilter chosen;
    private final Duration timeout;
    private final int concurrency;

    private CrashMatrix(
            Callable<? extends T> trials,
            Callable<? extends CrashRunner<? super T>> runners,
            PointFilter chosen,
            Duration within,
            int atOnce) {
        this.trials = trials;
        this.runners = runners;
        this.chosen = chosen;
        this.timeout = within;
        this.concurrency = atOnce;
    }

    /** Returns a matrix that kills in this JVM: quick, and as good as a real kill for effects that go through the {@link CrashInjector}. */
    public static CrashMatrix<InProcessTrial> of(Callable<? extends InProcessTrial> trials) {
        return new CrashMatrix<>(trials, InProcessCrashRunner::new, (number, boundary) -> true, WITHIN, 1);
    }

    /** Returns a matrix that kills a child JVM by SIGKILL, about a second for each crash. The child has the class path of this JVM. */
    public static CrashMatrix<ForkedProcessTrial> ofProcesses(
            Class<? extends ForkedApplicationFactory> program, Callable<? extends ForkedProcessTrial> trials) {
        return new CrashMatrix<>(trials, () -> new ForkedCrashRunner(program), (number, boundary) -> true, WITHIN, 1);
    }

    /** Returns the same matrix for the crash points with these numbers, from 1. */
    public CrashMatrix<T> only(IntPredicate numbers) {
        return new CrashMatrix<>(trials, runners, (number, boundary) -> numbers.test(number), timeout, concurrency);
    }

    /** Returns the same matrix for the crash points with these names, such as {@code before sending charge}. */
    public CrashMatrix<T> onlyNamed(Predicate<String> names) {
        return new CrashMatrix<>(
                trials, runners, (number, boundary) -> names.test(boundary.name()), timeout, concurrency);
    }

    /** Returns the same matrix with another limit for a request or a recovery; 2 min by default. */
    public CrashMatrix<T> timeout(Duration limit) {
        return new CrashMatrix<>(trials, runners, chosen, limit, concurrency);
    }

    /** Returns the same matrix with so many trials at a time; 1 by default. Trials mostly wait for leases. */
    public CrashMatrix<T> concurrency(int trialsAtOnce) {
        if (trialsAtOnce < 1) {
            throw new IllegalArgumentException(
                    "Invalid concurrency " + trialsAtOnce + ": run at least one trial at a time.");
        }
        return new CrashMatrix<>(trials, runners, chosen, timeout, trialsAtOnce);
    }

    /**
     * Runs one trial for each crash point.
     *
     * @throws IllegalStateException if the checks fail without a crash: then they, or the application, are wrong
     */
    public CrashReport run() throws Exception {
        try (var runner = runners.call()) {
            var boundaries = undisturbed(runner);
            var numbers = IntStream.rangeClosed(1, boundaries.size())
                    .filter(number -> chosen.test(number, boundaries.get(number - 1)))
                    .boxed()
                    .toList();
            var places = new Semaphore(concurrency, true);
            var asked = numbers.stream()
                    .map(number -> TimeLimitedTask.asked(
                            "trial-" + number,
                            () -> inItsPlace(places, () -> crash(runner, number, boundaries.get(number - 1)))))
                    .toList();
            try {
                var rows = new ArrayList<CrashReport.CrashResult>();
                for (var trial : asked) {
                    rows.add(trial.get());
                }
                return new CrashReport(rows);
            } finally {
                asked.forEach(trial -> trial.cancel(true));
            }
        }
    }

    private static <V> V inItsPlace(Semaphore places, Callable<V> trial) throws Exception {
        places.acquire();
        try {
            return trial.call();
        } finally {
            places.release();
        }
    }

    private List<CrashPoint> undisturbed(CrashRunner<? super T> runner) throws Exception {
        try (var trial = trials.call()) {
            var boundaries = runner.recordCrashPoints(trial, timeout);
            var findings = checked(trial, Optional.empty());
            if (!findings.isEmpty()) {
                throw new IllegalStateException("The checks fail without any crash: " + String.join("; ", findings));
            }
            return boundaries;
        }
    }

    private CrashReport.CrashResult crash(CrashRunner<? super T> runner, int number, CrashPoint boundary)
            throws Exception {
        try (var trial = trials.call()) {
            boolean reached = runner.killAt(boundary, trial, timeout);
            var stuck = recovered(runner, trial);
            return new CrashReport.CrashResult(number, boundary.toString(), reached, checked(trial, stuck));
        }
    }

    private Optional<Exception> recovered(CrashRunner<? super T> runner, T trial) {
        try {
            runner.recover(trial, timeout);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The test was interrupted during a recovery.", e);
        } catch (Exception failed) {
            return Optional.of(failed);
        }
    }

    private List<String> checked(T trial, Optional<Exception> stuck) {
        var checks = new EffectChecks();
        stuck.ifPresent(failure -> checks.failed("not recovered", failure));
        try {
            trial.check(checks);
        } catch (Exception | AssertionError failed) {
            checks.failed("check failed", failed);
        }
        return checks.findings();
    }
}
