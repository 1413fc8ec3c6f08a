package dev.refrain.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An API without a mistake passes; with one it is found, by the case that is about it. */
class FlawsTest {

    /** These tell something, or guard what no API in this process can get wrong. */
    private static final Set<String> WITHOUT_A_FLAW =
            Set.of("first-answer", "key-header-name", "replay-marker", "error-documented");

    static Subject subject(FlawedApi api) {
        var headers = List.of(new Header("Authorization", "Bearer first-secret"));
        var target = new Api(api.address(), Route.changing("POST /payments"), headers, Api.KEY_HEADER);
        var bodies =
                Bodies.of("{\"amount\":{{n}},\"currency\":\"EUR\"}").failing("{\"amount\":1,\"card\":\"declined\"}");
        return Subject.of(target, bodies)
                .with(List.of(new Header("Authorization", "Bearer second-secret")))
                .with(Promise.of(Profile.DEFAULT).withRetention(FlawedApi.RETENTION))
                .with(Sight.BY_ANSWERS.withCounter(Sight.Counter.parse("GET /payments#/payments")));
    }

    static Set<String> names(Report report, Class<? extends Verdict> kind) {
        return report.results().stream()
                .filter(result -> kind.isInstance(result.verdict()))
                .map(result -> result.words().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void withoutAMistakeEveryCasePassesAndNoMoreIsSentThanAnnounced() throws Exception {
        try (var api = new FlawedApi(Flaw.NONE)) {
            var verification = api.verified(subject(api));

            var report = verification.run(result -> {});

            assertThat(report.results())
                    .allSatisfy(result ->
                            assertThat(result.verdict()).as("%s", result).isEqualTo(Verdict.passed()));
            assertThat(report.results()).hasSize(Suite.descriptions().size());
            assertThat(api.requests()).isEqualTo(report.requests()).isLessThanOrEqualTo(verification.maxRequests());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aMistakeIsFoundByTheCaseThatIsAboutIt(Flaw flaw) throws Exception {
        try (var api = new FlawedApi(flaw)) {
            var report = api.verified(subject(api), flaw.foundBy()).run(result -> {});

            assertThat(report.passes()).isFalse();
            assertThat(names(report, Verdict.Failed.class)).containsAll(flaw.foundBy());
            assertThat(report.results().getFirst().verdict())
                    .as("the first answer")
                    .isEqualTo(Verdict.passed());
        }
    }

    @Test
    void everyCaseThatJudgesHasAMistakeThatItFinds() {
        var found = Arrays.stream(Flaw.values())
                .flatMap(flaw -> flaw.foundBy().stream())
                .collect(Collectors.toSet());

        assertThat(Suite.descriptions().stream().map(Words::name).filter(name -> !found.contains(name)))
                .containsExactlyInAnyOrderElementsOf(WITHOUT_A_FLAW);
    }

    /** Without a count: what answers alone can show. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "NO_KEYS_AT_ALL",
                "CHECKS_THEN_SETS",
                "ANSWERS_BEFORE_IT_STORES",
                "OTHER_BODY_RUNS",
                "CUTS_LONG_KEYS"
            })
    void manyMistakesAreSeenInTheAnswersAlone(Flaw flaw) throws Exception {
        try (var api = new FlawedApi(flaw)) {
            var blind = subject(api).with(Sight.BY_ANSWERS.withIdAt("/id"));

            var report = api.verified(blind, flaw.foundBy()).run(result -> {});

            assertThat(names(report, Verdict.Failed.class)).containsAll(flaw.foundBy());
        }
    }
}
