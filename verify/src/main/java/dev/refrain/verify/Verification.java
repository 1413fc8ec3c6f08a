package dev.refrain.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Runs the cases against a subject, one after another. The first two always run: what they learn is what the others judge by.
 *
 * <pre>{@code
 * var api = new Api(URI.create("http://localhost:8080"), Route.changing("POST /payments"), List.of(), Api.KEY_HEADER);
 * Report report = Verification.of(Subject.of(api, Bodies.of("{\"amount\":{{n}}}"))).run(progress -> {});
 * }</pre>
 */
public final class Verification {

    private final Subject subject;
    private final List<Case> cases;
    private final Consumer<Duration> letPass;

    private Verification(Subject subject, List<Case> cases, Consumer<Duration> letPass) {
        this.subject = subject;
        this.cases = cases;
        this.letPass = letPass;
        if (maxRequests() > subject.limits().requests()) {
            throw new InvalidSubjectException("These cases send up to " + maxRequests() + " requests, more than the "
                    + subject.limits().requests() + " allowed: choose fewer, or allow more.");
        }
    }

    public static Verification of(Subject subject) {
        return of(subject, List.of(), List.of());
    }

    /**
     * @param only the names of the cases to look at; none for all
     * @param without the names of cases to leave out; those of the ground stay
     */
    public static Verification of(Subject subject, Collection<String> only, Collection<String> without) {
        known(only);
        known(without);
        return new Verification(
                subject,
                Suite.CASES.stream()
                        .filter(each -> GroundCases.ALL.contains(each)
                                || ((only.isEmpty() || only.contains(each.name())) && !without.contains(each.name())))
                        .toList(),
                Lab::sleep);
    }

    /** The same for an API with a clock of its own: how its time passes in which it has to forget. */
    Verification withClock(Consumer<Duration> clock) {
        return new Verification(subject, cases, clock);
    }

    private static void known(Collection<String> names) {
        var all = Suite.descriptions().stream().map(Words::name).toList();
        for (String name : names) {
            if (!all.contains(name)) {
                throw new InvalidSubjectException(
                        "There is no case '" + name + "'; there are " + String.join(", ", all) + ".");
            }
        }
    }

    /** How many requests that may change something are sent to the route, at the most. */
    public int maxRequests() {
        return cases.stream()
                .filter(each -> each.skipReason().apply(subject).isEmpty())
                .mapToInt(each -> each.maxRequests().applyAsInt(subject))
                .sum();
    }

    /** How many cases there are, those included that will be skipped. */
    public int size() {
        return cases.size();
    }

    /**
     * @param listener is told each result as it comes
     * @throws UnreachableException if nothing answers there
     */
    public Report run(Consumer<Result> listener) {
        var results = new ArrayList<Result>();
        var learnt = new Learnt();
        var numbers = new AtomicLong();
        for (var each : cases) {
            var result = results.isEmpty() || answers(results.getFirst())
                    ? look(each, learnt, numbers)
                    : result(each, Verdict.Skipped.NOT_TRIED);
            results.add(result);
            listener.accept(result);
        }
        return new Report(subject, results);
    }

    private static boolean answers(Result first) {
        return !(first.verdict() instanceof Verdict.Failed);
    }

    private static Result result(Case each, Verdict verdict) {
        return new Result(each.description(), verdict, List.of(), 0, Duration.ZERO);
    }

    private Result look(Case each, Learnt learnt, AtomicLong numbers) {
        var obstacle = each.skipReason().apply(subject);
        if (obstacle.isPresent()) {
            return result(each, new Verdict.Skipped(obstacle.get()));
        }
        long begun = System.nanoTime();
        try (var lab = new Lab(subject, learnt, numbers, each.maxRequests().applyAsInt(subject), letPass)) {
            var verdict = judge(each, lab);
            return new Result(
                    each.description(), verdict, lab.transcript(), lab.sent(), Duration.ofNanos(System.nanoTime() - begun));
        }
    }

    private Verdict judge(Case each, Lab lab) {
        try {
            return each.check().on(lab);
        } catch (UnmetException e) {
            return new Verdict.Failed(
                    e.expected(), e.found(), e.means().orElse(each.description().consequence()));
        } catch (NoAnswerException e) {
            if (each.equals(GroundCases.FIRST_ANSWER)) {
                throw new UnreachableException(
                        subject.api().route() + " at " + subject.api().base() + " could not be asked: "
                                + e.getMessage(),
                        e);
            }
            return new Verdict.Failed(
                    "an answer", String.valueOf(e.getMessage()), each.description().consequence());
        }
    }
}
