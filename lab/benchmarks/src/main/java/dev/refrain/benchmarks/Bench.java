package dev.refrain.benchmarks;

import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures what protection costs.
 *
 * <p>Used once, by one thread. It takes the whole machine: what else runs on it makes the spread wider.
 */
public final class Bench {

    private static final int CALLERS = 128;

    private final List<Case> cases;
    private final Scale scale;
    private final Optional<String> url;

    private Bench(List<Case> cases, Scale scale, Optional<String> url) {
        this.cases = cases;
        this.scale = scale;
        this.url = url;
    }

    /** What can be measured, in the order of the table. */
    public static List<String> names() {
        return Case.all().stream().map(each -> each.title().name()).toList();
    }

    public static Bench full() {
        return new Bench(Case.all(), Scale.FULL, Optional.empty());
    }

    /** Under four minutes: fewer and shorter slices, and nothing that has to fill large tables first. */
    public static Bench quick() {
        return new Bench(Case.all().stream().filter(each -> !each.isLong()).toList(), Scale.QUICK, Optional.empty());
    }

    /** These alone, whatever they take. */
    public Bench only(List<String> names) {
        return new Bench(
                Case.all().stream()
                        .filter(each -> names.contains(each.title().name()))
                        .toList(),
                scale,
                url);
    }

    /** On a server of the user's own. */
    public Bench at(String jdbcUrl) {
        return new Bench(cases, scale, Optional.of(jdbcUrl));
    }

    Bench at(Scale other) {
        return new Bench(cases, other, url);
    }

    /**
     * @param err where progress is shown
     * @throws BenchException if something could not be measured
     */
    public Report run(PrintStream err) {
        var progress = new Progress(err, Progress.isTerminal(), cases.size());
        progress.starting();
        try (var lab = Lab.open(url, scale)) {
            var machine = Machine.of(lab);
            warmUp(lab, progress.begin("everything"));
            var results = new ArrayList<Result>();
            for (var each : cases) {
                var result = measure(each, lab, progress.begin(each.title().name()));
                results.add(result);
                progress.end(result);
            }
            return new Report(Instant.now(), machine, results);
        } catch (BenchException e) {
            throw e;
        } catch (Exception e) {
            throw new BenchException("The bench could not be set up: " + e.getMessage(), e);
        } finally {
            progress.clear();
        }
    }

    /** Code that most cases share would otherwise be compiled at the cost of whichever comes first. */
    private static void warmUp(Lab lab, Meter meter) throws Exception {
        String url = lab.freshDatabase();
        try (var leased = new LeasedSide(url);
                var transactional = new TransactionalSide(url);
                var unprotected = new UnprotectedSide(url)) {
            lab.pairs(meter).warmUp(List.of(leased, transactional, unprotected), CALLERS);
        }
    }

    private static Result measure(Case each, Lab lab, Meter meter) {
        try {
            return each.measure(lab, meter);
        } catch (Exception e) {
            throw new BenchException("Measuring " + each.title().name() + ": " + e.getMessage(), e);
        }
    }
}
