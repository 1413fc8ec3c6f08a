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

/** Checks that an API without flaws passes, and that each flaw is found by the case for it. */
class FlawDetectionTest {

    /** Cases that only give advice, or test what no API in this process can get wrong. */
    private static final Set<String> WITHOUT_A_FLAW =
            Set.of("first-answer", "key-header-name", "replay-marker", "error-documented");

    static VerifySettings subject(FlawedApi api) {
        var headers = List.of(new OutgoingHeader("Authorization", "Bearer first-secret"));
        var target = new ApiUnderTest(
                api.address(), VerifiedRoute.changing("POST /payments"), headers, ApiUnderTest.KEY_HEADER);
        var bodies = SampleBodies.of("{\"amount\":{{n}},\"currency\":\"EUR\"}")
                .failing("{\"amount\":1,\"card\":\"declined\"}");
        return VerifySettings.of(target, bodies)
                .with(List.of(new OutgoingHeader("Authorization", "Bearer second-secret")))
                .with(ApiExpectations.of(VerifyProfile.DEFAULT).withRetention(FlawedApi.RETENTION))
                .with(EffectCountSource.BY_ANSWERS.withCounter(
                        EffectCountSource.CountResource.parse("GET /payments#/payments")));
    }

    static Set<String> names(VerifyReport report, Class<? extends CaseVerdict> kind) {
        return report.results().stream()
                .filter(result -> kind.isInstance(result.verdict()))
                .map(result -> result.description().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void flawlessApiPassesWithinTheAnnouncedRequests() throws Exception {
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
    void flawIsFoundByItsCase(ApiFlaw flaw) throws Exception {
        try (var api = new FlawedApi(flaw)) {
            var report = api.verified(subject(api), flaw.foundBy()).run(result -> {});

            assertThat(report.passes()).isFalse();
            assertThat(names(report, CaseVerdict.Failed.class)).containsAll(flaw.foundBy());
            assertThat(report.results().getFirst().verdict())
                    .as("the first response")
                    .isEqualTo(CaseVerdict.passed());
        }
    }

    @Test
    void everyCaseFindsSomeFlaw() {
        var found = Arrays.stream(ApiFlaw.values())
                .flatMap(flaw -> flaw.foundBy().stream())
                .collect(Collectors.toSet());

        assertThat(VerifySuite.descriptions().stream()
                        .map(CaseDescription::name)
                        .filter(name -> !found.contains(name)))
                .containsExactlyInAnyOrderElementsOf(WITHOUT_A_FLAW);
    }

    /** Checks what responses alone can show, without a count. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "NO_KEYS_AT_ALL",
                "CHECKS_THEN_SETS",
                "ANSWERS_BEFORE_IT_STORES",
                "OTHER_BODY_RUNS",
                "CUTS_LONG_KEYS"
            })
    void flawsAreFoundByResponsesAlone(ApiFlaw flaw) throws Exception {
        try (var api = new FlawedApi(flaw)) {
            var withoutCount = subject(api).with(EffectCountSource.BY_ANSWERS.withIdAt("/id"));

            var report = api.verified(withoutCount, flaw.foundBy()).run(result -> {});

            assertThat(names(report, CaseVerdict.Failed.class)).containsAll(flaw.foundBy());
        }
    }
}
