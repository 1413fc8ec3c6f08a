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
class FlawDetectionTest {

    /** These tell something, or guard what no API in this process can get wrong. */
    private static final Set<String> WITHOUT_A_FLAW =
            Set.of("first-answer", "key-header-name", "replay-marker", "error-documented");

    static VerifySettings subject(FlawedApi api) {
        var headers = List.of(new VerifyHeader("Authorization", "Bearer first-secret"));
        var target =
                new ApiUnderTest(api.address(), ApiRoute.changing("POST /payments"), headers, ApiUnderTest.KEY_HEADER);
        var bodies = SampleBodies.of("{\"amount\":{{n}},\"currency\":\"EUR\"}")
                .failing("{\"amount\":1,\"card\":\"declined\"}");
        return VerifySettings.of(target, bodies)
                .with(List.of(new VerifyHeader("Authorization", "Bearer second-secret")))
                .with(ApiExpectations.of(VerifyProfile.DEFAULT).withRetention(FlawedApi.RETENTION))
                .with(EffectCountSource.BY_ANSWERS.withCounter(
                        EffectCountSource.CountResource.parse("GET /payments#/payments")));
    }

    static Set<String> names(VerifyReport report, Class<? extends CaseVerdict> kind) {
        return report.results().stream()
                .filter(result -> kind.isInstance(result.verdict()))
                .map(result -> result.words().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void withoutAMistakeEveryCasePassesAndNoMoreIsSentThanAnnounced() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.NONE)) {
            var verification = api.verified(subject(api));

            var report = verification.run(result -> {});

            assertThat(report.results())
                    .allSatisfy(result ->
                            assertThat(result.verdict()).as("%s", result).isEqualTo(CaseVerdict.passed()));
            assertThat(report.results()).hasSize(VerifySuite.descriptions().size());
            assertThat(api.requests()).isEqualTo(report.requests()).isLessThanOrEqualTo(verification.maxRequests());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aMistakeIsFoundByTheCaseThatIsAboutIt(ApiFlaw flaw) throws Exception {
        try (var api = new FlawedApi(flaw)) {
            var report = api.verified(subject(api), flaw.foundBy()).run(result -> {});

            assertThat(report.passes()).isFalse();
            assertThat(names(report, CaseVerdict.Failed.class)).containsAll(flaw.foundBy());
            assertThat(report.results().getFirst().verdict())
                    .as("the first answer")
                    .isEqualTo(CaseVerdict.passed());
        }
    }

    @Test
    void everyCaseThatJudgesHasAMistakeThatItFinds() {
        var found = Arrays.stream(ApiFlaw.values())
                .flatMap(flaw -> flaw.foundBy().stream())
                .collect(Collectors.toSet());

        assertThat(VerifySuite.descriptions().stream()
                        .map(CaseDescription::name)
                        .filter(name -> !found.contains(name)))
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
    void manyMistakesAreSeenInTheAnswersAlone(ApiFlaw flaw) throws Exception {
        try (var api = new FlawedApi(flaw)) {
            var blind = subject(api).with(EffectCountSource.BY_ANSWERS.withIdAt("/id"));

            var report = api.verified(blind, flaw.foundBy()).run(result -> {});

            assertThat(names(report, CaseVerdict.Failed.class)).containsAll(flaw.foundBy());
        }
    }
}
