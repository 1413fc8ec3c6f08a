package dev.refrain.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.examples.servlet.PaymentsServer;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import tools.jackson.databind.json.JsonMapper;

class ApiVerifierTest {

    private static String text(VerifyReport report) {
        var out = new StringWriter();
        report.print(new PrintWriter(out));
        return out.toString();
    }

    @Test
    void servletFilterPasses(@TempDir Path folder) throws Exception {
        try (var server = PaymentsServer.start(folder.resolve("payments.db"), 0)) {
            var api = new ApiUnderTest(
                    URI.create("http://localhost:" + server.port()),
                    VerifiedRoute.changing("POST /payments"),
                    List.of(),
                    ApiUnderTest.KEY_HEADER);
            var bodies = SampleBodies.of("{\"amount\":1299,\"currency\":\"EUR\"}")
                    .failing("{\"amount\":0,\"currency\":\"EUR\"}");
            var subject = VerifySettings.of(api, bodies)
                    .with(EffectCountSource.BY_ANSWERS.withCounter(
                            EffectCountSource.CountResource.parse("GET /payments#/payments")));

            var report = ApiVerifier.of(subject).run(result -> {});

            assertThat(FlawDetectionTest.names(report, CaseVerdict.Failed.class))
                    .as(text(report))
                    .isEmpty();
            assertThat(FlawDetectionTest.names(report, CaseVerdict.Advice.class))
                    .isEmpty();
            assertThat(FlawDetectionTest.names(report, CaseVerdict.Skipped.class))
                    .contains("other-caller", "expiry");
        }
    }

    @Test
    void failureReportContainsTranscriptExpectationAndConsequence() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.COMPARES_NOTHING)) {
            var report = ApiVerifier.of(FlawDetectionTest.subject(api), List.of("mismatch-body"), List.of())
                    .run(result -> {});

            assertThat(text(report))
                    .contains(
                            "FAILED   mismatch-body", "expected  422 (profile default)", "the first request's response")
                    .contains(
                            "§2.4", "believes that its second payment", "POST /payments  Idempotency-Key: \"", "→ 201")
                    .contains("2 passed, 0 with advice, 1 failed, 0 skipped");
        }
    }

    @Test
    void credentialsAreMaskedEverywhere() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.NO_KEYS_AT_ALL)) {
            var secret = new OutgoingHeader("Authorization", "Bearer EUR-and-more");
            var subject = FlawDetectionTest.subject(api);
            var target = new ApiUnderTest(
                    subject.api().base(), subject.api().route(), List.of(secret), ApiUnderTest.KEY_HEADER);
            // The body stands in for an API that echoes the credentials.
            var echoing = new VerifySettings(
                    target,
                    List.of(),
                    SampleBodies.of("{\"amount\":1,\"note\":\"EUR-and-more\"}"),
                    subject.expectations(),
                    subject.effectCount(),
                    subject.limits());

            var report = api.verified(echoing).run(result -> {});

            assertThat(report.passes()).isFalse();
            assertThat(text(report) + report.json() + report.junitXml())
                    .contains("•••")
                    .doesNotContain("EUR-and-more");
            assertThat(secret.toString()).doesNotContain("EUR-and-more");
        }
    }

    @Test
    void junitReportIsWellFormedWithCorrectCounts() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.MISMATCH_IS_409)) {
            var singleCaller = FlawDetectionTest.subject(api).with(List.of());
            var report = ApiVerifier.of(
                            singleCaller, List.of("mismatch-body", "key-control-bytes", "other-caller"), List.of())
                    .run(result -> {});

            var suite = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(report.junitXml())))
                    .getDocumentElement();

            assertThat(suite.getTagName()).isEqualTo("testsuite");
            assertThat(suite.getAttribute("tests")).isEqualTo("5");
            assertThat(suite.getAttribute("failures")).isEqualTo("1");
            assertThat(suite.getAttribute("skipped")).isEqualTo("1");
            assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(5);
            assertThat(suite.getElementsByTagName("skipped").getLength()).isEqualTo(1);
            var failure = (Element) suite.getElementsByTagName("failure").item(0);
            assertThat(failure.getAttribute("message")).contains("422", "409");
            assertThat(failure.getTextContent())
                    .contains("POST /payments", "does not recognize the rejection")
                    .doesNotContain("second payment succeeded");
        }
    }

    @Test
    void jsonReportHasTheDocumentedFields() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.MISMATCH_IS_409)) {
            var report = ApiVerifier.of(
                            FlawDetectionTest.subject(api).with(List.of()),
                            List.of("mismatch-body", "other-caller"),
                            List.of())
                    .run(result -> {});

            var json = JsonMapper.shared().readTree(report.json());

            assertThat(json.propertyNames())
                    .containsExactly(
                            "url",
                            "route",
                            "profile",
                            "passed",
                            "advice",
                            "failed",
                            "skipped",
                            "requests",
                            "millis",
                            "cases");
            assertThat(json.path("failed").intValue()).isEqualTo(1);
            var failed = json.path("cases").get(2);
            assertThat(failed.propertyNames())
                    .containsExactly(
                            "name",
                            "result",
                            "checks",
                            "reference",
                            "expected",
                            "found",
                            "means",
                            "requests",
                            "millis",
                            "transcript");
            assertThat(failed.path("result").stringValue()).isEqualTo("failed");
            assertThat(json.path("cases").get(3).path("note").stringValue()).contains("--other-header");
        }
    }

    @Test
    void unreachableApiIsReported() {
        var api = new ApiUnderTest(
                URI.create("http://localhost:1"),
                VerifiedRoute.changing("POST /payments"),
                List.of(),
                ApiUnderTest.KEY_HEADER);

        assertThatThrownBy(() -> ApiVerifier.of(VerifySettings.of(api, SampleBodies.of("{}")))
                        .run(result -> {}))
                .isInstanceOf(ApiUnreachableException.class)
                .hasMessageContaining("POST /payments at http://localhost:1 is unreachable");
    }

    @Test
    void failedFirstRequestSkipsTheOtherCases() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.NONE)) {
            var subject = FlawDetectionTest.subject(api);
            var refused = subject.with(subject.expectations().status(200));

            var report = api.verified(refused).run(result -> {});

            assertThat(FlawDetectionTest.names(report, CaseVerdict.Failed.class))
                    .containsExactly("first-answer");
            assertThat(text(report)).contains("The remaining 28 cases did not run");
            assertThat(FlawDetectionTest.names(report, CaseVerdict.Skipped.class))
                    .hasSize(VerifySuite.descriptions().size() - 1);
            assertThat(api.requests()).isEqualTo(1);
        }
    }

    @Test
    void casesOverTheRequestLimitAreNotStarted() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.NONE)) {
            var limited = FlawDetectionTest.subject(api).with(new VerifyLimits(10, 20, Duration.ofSeconds(5)));

            assertThatThrownBy(() -> ApiVerifier.of(limited))
                    .isInstanceOf(InvalidVerifySettingsException.class)
                    .hasMessageContaining("more than the 20 allowed");
            assertThat(api.requests()).isZero();
        }
    }

    @Test
    void profileSetsTheExpectedMismatchStatus() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.MISMATCH_IS_409)) {
            var square = FlawDetectionTest.subject(api).with(ApiExpectations.of(VerifyProfile.SQUARE));

            var report = ApiVerifier.of(square, List.of("mismatch-body", "key-malformed"), List.of())
                    .run(result -> {});

            assertThat(report.passes()).as(text(report)).isTrue();
            assertThat(FlawDetectionTest.names(report, CaseVerdict.Skipped.class))
                    .containsExactly("key-malformed");
        }
    }
}
