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

class VerificationTest {

    private static String text(Report report) {
        var out = new StringWriter();
        report.print(new PrintWriter(out));
        return out.toString();
    }

    @Test
    void ourOwnFilterPasses(@TempDir Path folder) throws Exception {
        try (var server = PaymentsServer.start(folder.resolve("payments.db"), 0)) {
            var api = new Api(
                    URI.create("http://localhost:" + server.port()),
                    Route.changing("POST /payments"),
                    List.of(),
                    Api.KEY_HEADER);
            var bodies =
                    Bodies.of("{\"amount\":1299,\"currency\":\"EUR\"}").failing("{\"amount\":0,\"currency\":\"EUR\"}");
            var subject = Subject.of(api, bodies)
                    .with(Sight.BY_ANSWERS.withCounter(Sight.Counter.parse("GET /payments#/payments")));

            var report = Verification.of(subject).run(result -> {});

            assertThat(FlawsTest.names(report, Verdict.Failed.class))
                    .as(text(report))
                    .isEmpty();
            assertThat(FlawsTest.names(report, Verdict.Advice.class)).isEmpty();
            assertThat(FlawsTest.names(report, Verdict.Skipped.class)).contains("other-caller", "expiry");
        }
    }

    @Test
    void aFailureSaysWhatWasSentWhatWasExpectedWhatCameAndWhatItMeans() throws Exception {
        try (var api = new FlawedApi(Flaw.COMPARES_NOTHING)) {
            var report = Verification.of(FlawsTest.subject(api), List.of("mismatch-body"), List.of())
                    .run(result -> {});

            assertThat(text(report))
                    .contains("FAILED   mismatch-body", "expected  422 (profile default)", "the first request's answer")
                    .contains(
                            "§2.4", "believes that its second payment", "POST /payments  Idempotency-Key: \"", "→ 201")
                    .contains("2 passed, 0 with advice, 1 failed, 0 skipped");
        }
    }

    @Test
    void whatAuthenticatesIsShownNowhere() throws Exception {
        try (var api = new FlawedApi(Flaw.NO_KEYS_AT_ALL)) {
            var loud = new Header("Authorization", "Bearer EUR-and-more");
            var subject = FlawsTest.subject(api);
            var target = new Api(subject.api().base(), subject.api().route(), List.of(loud), Api.KEY_HEADER);
            // An API that says it back: the body stands in for one.
            var telling = new Subject(
                    target,
                    List.of(),
                    Bodies.of("{\"amount\":1,\"note\":\"EUR-and-more\"}"),
                    subject.expectations(),
                    subject.effectCount(),
                    subject.limits());

            var report = api.verified(telling).run(result -> {});

            assertThat(report.passes()).isFalse();
            assertThat(text(report) + report.json() + report.junitXml())
                    .contains("•••")
                    .doesNotContain("EUR-and-more");
            assertThat(loud.toString()).doesNotContain("EUR-and-more");
        }
    }

    @Test
    void theJunitReportIsWellFormedAndItsCountsAreRight() throws Exception {
        try (var api = new FlawedApi(Flaw.MISMATCH_IS_409)) {
            var blind = FlawsTest.subject(api).with(List.of());
            var report = Verification.of(
                            blind, List.of("mismatch-body", "key-control-bytes", "other-caller"), List.of())
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
                    .contains("POST /payments", "does not recognise the refusal")
                    .doesNotContain("second payment went through");
        }
    }

    @Test
    void theJsonReportHasTheShapeThatIsDocumented() throws Exception {
        try (var api = new FlawedApi(Flaw.MISMATCH_IS_409)) {
            var report = Verification.of(
                            FlawsTest.subject(api).with(List.of()), List.of("mismatch-body", "other-caller"), List.of())
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
    void whereNothingAnswersNothingIsJudged() {
        var api =
                new Api(URI.create("http://localhost:1"), Route.changing("POST /payments"), List.of(), Api.KEY_HEADER);

        assertThatThrownBy(
                        () -> Verification.of(Subject.of(api, Bodies.of("{}"))).run(result -> {}))
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("POST /payments at http://localhost:1 could not be asked");
    }

    @Test
    void whereTheFirstRequestIsRefusedTheRestIsNotSent() throws Exception {
        try (var api = new FlawedApi(Flaw.NONE)) {
            var subject = FlawsTest.subject(api);
            var refused = subject.with(subject.expectations().status(200));

            var report = api.verified(refused).run(result -> {});

            assertThat(FlawsTest.names(report, Verdict.Failed.class)).containsExactly("first-answer");
            assertThat(text(report)).contains("The other 28 cases were not tried");
            assertThat(FlawsTest.names(report, Verdict.Skipped.class))
                    .hasSize(Suite.descriptions().size() - 1);
            assertThat(api.requests()).isEqualTo(1);
        }
    }

    @Test
    void moreThanIsAllowedIsNotEvenBegun() throws Exception {
        try (var api = new FlawedApi(Flaw.NONE)) {
            var little = FlawsTest.subject(api).with(new Limits(10, 20, Duration.ofSeconds(5)));

            assertThatThrownBy(() -> Verification.of(little))
                    .isInstanceOf(InvalidSubjectException.class)
                    .hasMessageContaining("more than the 20 allowed");
            assertThat(api.requests()).isZero();
        }
    }

    @Test
    void aProfileDecidesWhatAMismatchIsAnswered() throws Exception {
        try (var api = new FlawedApi(Flaw.MISMATCH_IS_409)) {
            var square = FlawsTest.subject(api).with(Promise.of(Profile.SQUARE));

            var report = Verification.of(square, List.of("mismatch-body", "key-malformed"), List.of())
                    .run(result -> {});

            assertThat(report.passes()).as(text(report)).isTrue();
            assertThat(FlawsTest.names(report, Verdict.Skipped.class)).containsExactly("key-malformed");
        }
    }
}
