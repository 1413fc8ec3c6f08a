package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.verify.ApiExpectations;
import dev.refrain.verify.ApiUnderTest;
import dev.refrain.verify.ApiVerifier;
import dev.refrain.verify.CaseVerdict;
import dev.refrain.verify.EffectCountSource;
import dev.refrain.verify.OutgoingHeader;
import dev.refrain.verify.SampleBodies;
import dev.refrain.verify.VerifiedRoute;
import dev.refrain.verify.VerifyProfile;
import dev.refrain.verify.VerifyReport;
import dev.refrain.verify.VerifySettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./refrain verify} against a gateway in front of a service that knows nothing of keys: every case passes. */
class VerifiedGatewayTest {

    /** Long enough for twins to meet, so that it is seen what they are told. */
    private static final Duration PAUSE = Duration.ofMillis(60);

    /** In a store whose hours are seconds; no outcome is kept for less than an hour. */
    private static final Duration RETENTION = Duration.ofSeconds(5);

    private static final String CONFIG = """
            gateway: {scope: {api-key: {header: Authorization}}}
            refrain: {routes: {pay: {match: POST /pay, retention: 5h, lease: 10h, max-run-time: 10h}}}
            """;

    @TempDir
    private Path folder;

    @Test
    void everyCasePasses() throws Exception {
        try (var service = new PaymentsService(0, folder.resolve("ledger"), PaymentsService.KeySupport.PLAIN, PAUSE);
                var gateway = GatewayUnderTest.withSecondsForHours(service.address(), CONFIG)) {
            var report = ApiVerifier.of(subject(gateway.server().port())).run(result -> {});

            assertThat(report.results()).hasSizeGreaterThan(25);
            assertThat(report.results().stream()
                            .filter(result -> !result.verdict().equals(CaseVerdict.passed()))
                            .map(result -> result.description() + ": " + result.verdict()))
                    .as(text(report))
                    .isEmpty();
        }
    }

    private static VerifySettings subject(int port) {
        var api = new ApiUnderTest(
                URI.create("http://localhost:" + port),
                VerifiedRoute.changing("POST /pay"),
                List.of(new OutgoingHeader("Authorization", "Basic YWxpY2U6")),
                ApiUnderTest.KEY_HEADER);
        return VerifySettings.of(
                        api,
                        SampleBodies.of("{\"amount\":{{n}},\"currency\":\"EUR\"}")
                                .failing("{\"amount\":0,\"currency\":\"EUR\"}"))
                .with(List.of(new OutgoingHeader("Authorization", "Basic Ym9iOg==")))
                .with(ApiExpectations.of(VerifyProfile.DEFAULT).withRetention(RETENTION))
                .with(EffectCountSource.BY_ANSWERS.withCounter(
                        EffectCountSource.CountResource.parse("GET /payments#/payments")));
    }

    private static String text(VerifyReport report) {
        var out = new StringWriter();
        report.print(new PrintWriter(out));
        return out.toString();
    }
}
