package dev.refrain.benchmarks;

import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures the cost of protection.
 *
 * <p>Used once, by one thread. It takes the whole machine: what else runs on it makes the spread wider.
 */
public final class BenchmarkSuite {

    private static final int CALLERS = 128;

    private final List<BenchmarkCase> cases;
    private final BenchmarkScale scale;
    private final Optional<String> url;

    private BenchmarkSuite(List<BenchmarkCase> cases, BenchmarkScale scale, Optional<String> url) {
        this.cases = cases;
        this.scale = scale;
        this.url = url;
    }

    /** Returns the names of all measurements in the order of the table. */
    public static List<String> names() {
        return BenchmarkCase.all().stream().map(each -> each.title().name()).toList();
    }

    public static BenchmarkSuite full() {
        return new BenchmarkSuite(BenchmarkCase.all(), BenchmarkScale.FULL, Optional.empty());
    }

    /** Returns the quick suite, which takes some minutes: fewer and shorter slices, no large tables. */
    public static BenchmarkSuite quick() {
        return new BenchmarkSuite(
                BenchmarkCase.all().stream().filter(each -> !each.isLong()).toList(),
                BenchmarkScale.QUICK,
                Optional.empty());
    }

    /** Returns a suite of these measurements only, long ones included. */
    public BenchmarkSuite only(List<String> names) {
        return new BenchmarkSuite(
                BenchmarkCase.all().stream()
                        .filter(each -> names.contains(each.title().name()))
                        .toList(),
                scale,
                url);
    }

    /** Returns a suite that measures on the user's own server. */
    public BenchmarkSuite at(String jdbcUrl) {
        return new BenchmarkSuite(cases, scale, Optional.of(jdbcUrl));
    }

    BenchmarkSuite at(BenchmarkScale other) {
        return new BenchmarkSuite(cases, other, url);
    }

    /**
     * @param err where progress is shown
     * @throws MeasurementFailedException if something could not be measured
     */
    public BenchmarkReport run(PrintStream err) {
        var progress = new BenchmarkProgress(err, BenchmarkProgress.isTerminal(), cases.size(), !scale.isQuick());
        progress.starting();
        try (var lab = BenchmarkTestbed.open(url, scale)) {
            var machine = MachineInfo.of(lab);
            warmUp(lab, progress.begin("everything"));
            var results = new ArrayList<BenchmarkResult>();
            for (var each : cases) {
                var result = measure(each, lab, progress.begin(each.title().name()));
                results.add(result);
                progress.end(result);
            }
            return new BenchmarkReport(Instant.now(), machine, scale.isQuick(), results);
        } catch (MeasurementFailedException e) {
            throw e;
        } catch (Exception e) {
            throw new MeasurementFailedException("The bench could not be set up: " + e.getMessage(), e);
        } finally {
            progress.clear();
        }
    }

    /** Warms up code that most measurements share, so that the first one does not pay for compiling it. */
    private static void warmUp(BenchmarkTestbed lab, CaseProgressListener meter) throws Exception {
        String url = lab.freshDatabase();
        try (var leased = new LeasedWorkload(url);
                var transactional = new TransactionalWorkload(url);
                var unprotected = new UnprotectedWorkload(url)) {
            lab.pairs(meter).warmUp(List.of(leased, transactional, unprotected), CALLERS);
        }
    }

    private static BenchmarkResult measure(BenchmarkCase each, BenchmarkTestbed lab, CaseProgressListener meter) {
        try {
            return each.measure(lab, meter);
        } catch (Exception e) {
            throw new MeasurementFailedException("Measuring " + each.title().name() + ": " + e.getMessage(), e);
        }
    }
}
