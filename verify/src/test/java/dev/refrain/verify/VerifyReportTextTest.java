package dev.refrain.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a report says about failures, and what it must not say about credentials. */
class VerifyReportTextTest {

    private static VerifyReport report(ApiFlaw flaw) throws Exception {
        try (var api = new FlawedApi(flaw)) {
            return api.verified(FlawDetectionTest.subject(api)).run(result -> {});
        }
    }

    private static String text(VerifyReport report) {
        var out = new StringWriter();
        report.print(new PrintWriter(out));
        return out.toString().replaceAll("\\s+", " ");
    }

    private static String means(VerifyReport report, String name) {
        return report.results().stream()
                .filter(result -> result.description().name().equals(name))
                .map(result -> ((CaseVerdict.Failed) result.verdict()).means())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void wrongResponseToARequestThatTookEffectOnceIsNoDoubleCharge() throws Exception {
        assertThat(means(report(ApiFlaw.REPLAYS_OTHER_BYTES), "replay-same"))
                .contains("Nothing took effect too often: 1 effect by the API's own count")
                .doesNotContain("charged");
    }

    @Test
    void effectsThatWereCountedAreNamedWithTheirHarm() throws Exception {
        assertThat(means(report(ApiFlaw.NO_KEYS_AT_ALL), "replay-same"))
                .startsWith("3 effects by the API's own count, instead of 1.")
                .contains("charged");
    }

    /** As the length of a paged list does. */
    @Test
    void countThatStandsStillShowsNoDoubleCharge() throws Exception {
        try (var api = new FlawedApi(ApiFlaw.COUNT_STANDS_STILL)) {
            var report = api.verified(FlawDetectionTest.subject(api), List.of("replay-same"))
                    .run(result -> {});

            assertThat(means(report, "replay-same"))
                    .startsWith("0 effects by the API's own count, instead of 1.")
                    .contains("the count does not see it")
                    .doesNotContain("charged");
        }
    }

    @Test
    void failuresWithOneCauseAreShownOnce() throws Exception {
        String text = text(report(ApiFlaw.NO_KEYS_AT_ALL));

        assertThat(text.split("FAILED [a-z-]+:", -1)).as(text).hasSizeLessThan(6);
        assertThat(text).contains("FAILED replay-same:");
        assertThat(text)
                .containsPattern("follows Failed too, probably for the same reason: .*concurrent-one-effect.*"
                        + "Mend this one first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pa\"ss/wo+rd & <more>", "t\\ken with space=", "plain-token-123"})
    void credentialsAreMaskedHoweverAnApiEchoesThem(String secret) {
        var api = new ApiUnderTest(
                URI.create("http://localhost:1"),
                VerifiedRoute.changing("POST /payments"),
                List.of(new OutgoingHeader("Authorization", "Bearer " + secret)),
                ApiUnderTest.KEY_HEADER);
        var formatter = new TranscriptFormatter(VerifySettings.of(api, SampleBodies.of("{}")));
        String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        for (String echoed : List.of(
                secret,
                secret.replace("\\", "\\\\").replace("\"", "\\\""),
                secret.replace("\\", "\\\\").replace("\"", "\\\"").replace("/", "\\/"),
                url,
                url.replace("+", "%20"),
                secret.replace("&", "&amp;")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")
                        .replace("\"", "&quot;"),
                Base64.getEncoder().encodeToString(bytes),
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes))) {
            assertThat(formatter.safe("it said \"" + echoed + "\", so")).isEqualTo("it said \"•••\", so");
        }
    }

    @Test
    void passwordOfBasicCredentialsIsMaskedToo() {
        String basic = Base64.getEncoder().encodeToString("me:sesame-7".getBytes(StandardCharsets.UTF_8));
        var api = new ApiUnderTest(
                URI.create("http://localhost:1"),
                VerifiedRoute.changing("POST /payments"),
                List.of(new OutgoingHeader("Authorization", "Basic " + basic)),
                ApiUnderTest.KEY_HEADER);
        var formatter = new TranscriptFormatter(VerifySettings.of(api, SampleBodies.of("{}")));

        assertThat(formatter.safe("user me, password sesame-7, " + basic)).doesNotContain("sesame", basic);
    }
}
