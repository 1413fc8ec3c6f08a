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
 * var api = new ApiUnderTest(URI.create("http://localhost:8080"), ApiRoute.changing("POST /payments"), List.of(), ApiUnderTest.KEY_HEADER);
 * VerifyReport report = ApiVerifier.of(VerifySettings.of(api, SampleBodies.of("{\"amount\":{{n}}}"))).run(progress -> {});
 * }</pre>
 */
public final class ApiVerifier {

    private final VerifySettings subject;
    private final List<VerifyCase> cases;
    private final Consumer<Duration> letPass;

    private ApiVerifier(VerifySettings subject, List<VerifyCase> cases, Consumer<Duration> letPass) {
        this.subject = subject;
        this.cases = cases;
        this.letPass = letPass;
        if (maxRequests() > subject.limits().requests()) {
            throw new InvalidVerifySettingsException(
                    "These cases send up to " + maxRequests() + " requests, more than the "
                            + subject.limits().requests() + " allowed: choose fewer, or allow more.");
        }
    }

    public static ApiVerifier of(VerifySettings subject) {
        return of(subject, List.of(), List.of());
    }

    /**
     * @param only the names of the cases to look at; none for all
     * @param without the names of cases to leave out; those of the ground stay
     */
    public static ApiVerifier of(VerifySettings subject, Collection<String> only, Collection<String> without) {
        known(only);
        known(without);
        return new ApiVerifier(
                subject,
                VerifySuite.CASES.stream()
                        .filter(each -> VerifyBaselineCases.ALL.contains(each)
                                || ((only.isEmpty() || only.contains(each.name())) && !without.contains(each.name())))
                        .toList(),
                VerifyCaseContext::sleep);
    }

    /** The same for an API with a clock of its own: how its time passes in which it has to forget. */
    ApiVerifier withClock(Consumer<Duration> clock) {
        return new ApiVerifier(subject, cases, clock);
    }

    private static void known(Collection<String> names) {
        var all = VerifySuite.descriptions().stream().map(CaseDescription::name).toList();
        for (String name : names) {
            if (!all.contains(name)) {
                throw new InvalidVerifySettingsException(
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
     * @throws ApiUnreachableException if nothing answers there
     */
    public VerifyReport run(Consumer<VerifyCaseResult> listener) {
        var results = new ArrayList<VerifyCaseResult>();
        var learnt = new ApiObservations();
        var numbers = new AtomicLong();
        for (var each : cases) {
            var result = results.isEmpty() || answers(results.getFirst())
                    ? look(each, learnt, numbers)
                    : result(each, CaseVerdict.Skipped.NOT_TRIED);
            results.add(result);
            listener.accept(result);
        }
        return new VerifyReport(subject, results);
    }

    private static boolean answers(VerifyCaseResult first) {
        return !(first.verdict() instanceof CaseVerdict.Failed);
    }

    private static VerifyCaseResult result(VerifyCase each, CaseVerdict verdict) {
        return new VerifyCaseResult(each.description(), verdict, List.of(), 0, Duration.ZERO);
    }

    private VerifyCaseResult look(VerifyCase each, ApiObservations learnt, AtomicLong numbers) {
        var obstacle = each.skipReason().apply(subject);
        if (obstacle.isPresent()) {
            return result(each, new CaseVerdict.Skipped(obstacle.get()));
        }
        long begun = System.nanoTime();
        try (var lab = new VerifyCaseContext(
                subject, learnt, numbers, each.maxRequests().applyAsInt(subject), letPass)) {
            var verdict = judge(each, lab);
            return new VerifyCaseResult(
                    each.description(),
                    verdict,
                    lab.transcript(),
                    lab.sent(),
                    Duration.ofNanos(System.nanoTime() - begun));
        }
    }

    private CaseVerdict judge(VerifyCase each, VerifyCaseContext lab) {
        try {
            return each.check().on(lab);
        } catch (ExpectationFailedException e) {
            return new CaseVerdict.Failed(
                    e.expected(), e.found(), e.means().orElse(each.description().consequence()));
        } catch (NoResponseException e) {
            if (each.equals(VerifyBaselineCases.FIRST_ANSWER)) {
                throw new ApiUnreachableException(
                        subject.api().route() + " at " + subject.api().base() + " could not be asked: "
                                + e.getMessage(),
                        e);
            }
            return new CaseVerdict.Failed(
                    "an answer",
                    String.valueOf(e.getMessage()),
                    each.description().consequence());
        }
    }
}
