package dev.refrain.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.verify.Api;
import dev.refrain.verify.Bodies;
import dev.refrain.verify.Header;
import dev.refrain.verify.Profile;
import dev.refrain.verify.Promise;
import dev.refrain.verify.Report;
import dev.refrain.verify.Route;
import dev.refrain.verify.Sight;
import dev.refrain.verify.Subject;
import dev.refrain.verify.Verdict;
import dev.refrain.verify.Verification;
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
            refrain: {routes: {pay: {match: POST /pay, retention: 5h, lease: 10h, max-run: 10h}}}
            """;

    @TempDir
    private Path folder;

    @Test
    void everyCasePasses() throws Exception {
        try (var service = new PaymentsService(0, folder.resolve("ledger"), PaymentsService.Manner.PLAIN, PAUSE);
                var gateway = GatewayUnderTest.withSecondsForHours(service.address(), CONFIG)) {
            var report = Verification.of(subject(gateway.server().port())).run(result -> {});

            assertThat(report.results()).hasSizeGreaterThan(25);
            assertThat(report.results().stream()
                            .filter(result -> !result.verdict().equals(Verdict.passed()))
                            .map(result -> result.words() + ": " + result.verdict()))
                    .as(text(report))
                    .isEmpty();
        }
    }

    private static Subject subject(int port) {
        var api = new Api(
                URI.create("http://localhost:" + port),
                Route.changing("POST /pay"),
                List.of(new Header("Authorization", "Bearer alice")),
                Api.KEY_HEADER);
        return Subject.of(
                        api,
                        Bodies.of("{\"amount\":{{n}},\"currency\":\"EUR\"}")
                                .failing("{\"amount\":0,\"currency\":\"EUR\"}"))
                .with(List.of(new Header("Authorization", "Bearer bob")))
                .with(Promise.of(Profile.DEFAULT).withRetention(RETENTION))
                .with(Sight.BY_ANSWERS.withCounter(Sight.Counter.parse("GET /payments#/payments")));
    }

    private static String text(Report report) {
        var out = new StringWriter();
        report.print(new PrintWriter(out));
        return out.toString();
    }
}
