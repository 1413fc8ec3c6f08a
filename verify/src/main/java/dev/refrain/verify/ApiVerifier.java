package dev.refrain.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Runs the conformance cases against an API, one after another. The first two always run, because the others rely on
 * what they observe. Not thread-safe; use one verifier per run.
 *
 * <pre>{@code
 * var api = new ApiUnderTest(URI.create("http://localhost:8080"), VerifiedRoute.changing("POST /payments"), List.of(), ApiUnderTest.KEY_HEADER);
 * VerifyReport report = ApiVerifier.of(VerifySettings.of(api, SampleBodies.of("{\"amount\":{{n}}}"))).run(progress -> {});
 * }</pre>
 */
public final class ApiVerifier {

    private final VerifySettings subject;
    private final List<VerifyCase> cases;
    private final Consumer<Duration> advanceTime;

    private ApiVerifier(VerifySettings subject, List<VerifyCase> cases, Consumer<Duration> advanceTime) {
        this.subject = subject;
        this.cases = cases;
        this.advanceTime = advanceTime;
        if (maxRequests() > subject.limits().requests()) {
            throw new InvalidVerifySettingsException(
                    "The selected cases send up to " + maxRequests() + " requests, more than the "
                            + subject.limits().requests() + " allowed. Select fewer cases or raise --max-requests.");
        }
    }

    public static ApiVerifier of(VerifySettings subject) {
        return of(subject, List.of(), List.of());
    }

    /**
     * Creates a verifier for a selection of cases.
     *
     * @param only the names of the cases to run; empty for all
     * @param without the names of the cases to skip; the first two cannot be skipped
     * @throws InvalidVerifySettingsException if a case is unknown or the cases need more requests than allowed
     */
    public static ApiVerifier of(VerifySettings subject, Collection<String> only, Collection<String> without) {
        requireKnown(only);
        requireKnown(without);
        return new ApiVerifier(
                subject,
                VerifySuite.CASES.stream()
                        .filter(each -> VerifyBaselineCases.ALL.contains(each)
                                || ((only.isEmpty() || only.contains(each.name())) && !without.contains(each.name())))
                        .toList(),
                VerifyCaseContext::sleep);
    }

    /** Returns a verifier that lets retention pass on the given clock instead of sleeping. */
    ApiVerifier withClock(Consumer<Duration> clock) {
        return new ApiVerifier(subject, cases, clock);
    }

    private static void requireKnown(Collection<String> names) {
        var all = VerifySuite.descriptions().stream().map(CaseDescription::name).toList();
        for (String name : names) {
            if (!all.contains(name)) {
                throw new InvalidVerifySettingsException(
                        "Unknown case '" + name + "'. Available: " + String.join(", ", all) + ".");
            }
        }
    }

    /** Maximum number of requests, most of which change data, that a run sends to the route. */
    public int maxRequests() {
        return cases.stream()
                .filter(each -> each.skipReason().apply(subject).isEmpty())
                .mapToInt(each -> each.maxRequests().applyAsInt(subject))
                .sum();
    }

    /** Number of selected cases, including those that will be skipped. */
    public int size() {
        return cases.size();
    }

    /**
     * Runs the cases.
     *
     * @param listener receives each result as it arrives, on the calling thread
     * @throws ApiUnreachableException if the API gives no response to the first request
     */
    public VerifyReport run(Consumer<VerifyCaseResult> listener) {
        var results = new ArrayList<VerifyCaseResult>();
        var observations = new ApiObservations();
        var numbers = new AtomicLong();
        for (var each : cases) {
            var result = results.isEmpty() || canContinue(results.getFirst())
                    ? runCase(each, observations, numbers)
                    : result(each, CaseVerdict.Skipped.NOT_TRIED);
            results.add(result);
            listener.accept(result);
        }
        return new VerifyReport(subject, results);
    }

    private static boolean canContinue(VerifyCaseResult first) {
        return !(first.verdict() instanceof CaseVerdict.Failed);
    }

    private static VerifyCaseResult result(VerifyCase each, CaseVerdict verdict) {
        return new VerifyCaseResult(each.description(), verdict, List.of(), 0, Duration.ZERO);
    }

    private VerifyCaseResult runCase(VerifyCase each, ApiObservations observations, AtomicLong numbers) {
        var obstacle = each.skipReason().apply(subject);
        if (obstacle.isPresent()) {
            return result(each, new CaseVerdict.Skipped(obstacle.get()));
        }
        long startedAt = System.nanoTime();
        try (var context = new VerifyCaseContext(
                subject, observations, numbers, each.maxRequests().applyAsInt(subject), advanceTime)) {
            var verdict = evaluate(each, context);
            return new VerifyCaseResult(
                    each.description(),
                    verdict,
                    context.transcript(),
                    context.sent(),
                    Duration.ofNanos(System.nanoTime() - startedAt));
        }
    }

    private CaseVerdict evaluate(VerifyCase each, VerifyCaseContext context) {
        try {
            return each.check().on(context);
        } catch (ExpectationFailedException e) {
            return new CaseVerdict.Failed(
                    context.formatter().safe(e.expected()),
                    context.formatter().safe(e.found()),
                    e.means()
                            .orElseGet(() ->
                                    context.supportedHarm(e, each.description().consequence())));
        } catch (NoResponseException e) {
            if (each.equals(VerifyBaselineCases.FIRST_ANSWER)) {
                throw new ApiUnreachableException(
                        subject.api().route() + " at " + subject.api().base() + " is unreachable: " + e.getMessage(),
                        e);
            }
            return new CaseVerdict.Failed(
                    "a response",
                    String.valueOf(e.getMessage()),
                    each.description().consequence());
        }
    }
}
