package dev.refrain.internal.fingerprint;

import static dev.refrain.internal.fingerprint.TestRequests.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import dev.refrain.api.UnknownFingerprintRecipeException;
import dev.refrain.store.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestFingerprinterTest {

    private static final byte[] OLD = "an old secret of 24 bytes".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEW = "a new secret of 24 bytes.".getBytes(StandardCharsets.US_ASCII);
    private static final RequestContent REQUEST = TestRequests.json("{\"amount\":5,\"at\":\"09:00\"}");

    /** A retry may say {@code charset=utf-8} where the first try did not. */
    @Test
    void contentTypeDecidesHowABodyIsReadAndIsNotComparedItself() {
        assertThat(TestRequests.plain(TestRequests.post("application/json", "{}")))
                .isEqualTo(TestRequests.plain(TestRequests.post("application/vnd.api+json; charset=utf-8; v=2", "{ }")))
                .isNotEqualTo(TestRequests.plain(TestRequests.post("text/plain", "{}")));
        assertThat(TestRequests.plain(TestRequests.post("text/plain; charset=utf-8", "{}")))
                .isEqualTo(TestRequests.plain(TestRequests.post("application/xml", "{}")));
    }

    @Test
    void methodPathAndQueryAreComparedAsSent() {
        assertThat(plain(http("POST", "/a", "x=1&y=2")))
                .isEqualTo(plain(http("POST", "/a", "x=1&y=2")))
                .isNotEqualTo(plain(http("post", "/a", "x=1&y=2")))
                .isNotEqualTo(plain(http("POST", "/a/", "x=1&y=2")))
                .isNotEqualTo(plain(http("POST", "/%61", "x=1&y=2")))
                .isNotEqualTo(plain(http("POST", "/a", "y=2&x=1")))
                .isNotEqualTo(plain(http("POST", "/a", "x=%31&y=2")));
    }

    @Test
    void absentAndAnEmptyBodyAreTheSameWhateverTheContentType() {
        Fingerprint absent = plain(RequestContent.http("POST", "/a", "", "", RepeatableBody.empty()));
        for (String type :
                new String[] {"", "text/plain", TestRequests.JSON, TestRequests.FORM, "multipart/form-data; boundary=b"
                }) {
            assertThat(plain(RequestContent.http("POST", "/a", "", type, new byte[0])))
                    .as(type)
                    .isEqualTo(absent);
        }
    }

    @Test
    void contentTypeDecidesHowABodyIsReadAndIsNotCompared() {
        String body = "{\"b\":1, \"a\":2}";
        assertThat(plain(TestRequests.post("application/json; charset=utf-8", body)))
                .isEqualTo(plain(TestRequests.post("Application/JSON;charset=\"UTF-8\"", body)))
                .isEqualTo(plain(TestRequests.post("application/merge-patch+json", body)))
                .isEqualTo(plain(TestRequests.post("application/json;", body)))
                .isNotEqualTo(plain(TestRequests.post("text/plain", body)));
        assertThat(plain(TestRequests.post("text/plain", body)))
                .isEqualTo(plain(TestRequests.post("application/octet-stream", body)));
    }

    @Test
    void operationIsNeverTakenForAnHttpRequest() {
        assertThat(plain(RequestContent.of("/a", "x")))
                .isNotEqualTo(plain(RequestContent.http("POST", "/a", "", "", bytes("x"))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestContent.http("", "/a", "", "", RepeatableBody.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> RequestContent.of("", "x"));
    }

    @Test
    void textIsTheSameAsItsUtf8Bytes() {
        assertThat(plain(RequestContent.of("op", "grüße 😀")))
                .isEqualTo(plain(RequestContent.of("op", bytes("grüße 😀"))));
    }

    @Test
    void textsThatJavaWouldEncodeAlikeAreDifferentRequests() {
        assertThat(plain(RequestContent.of("op", "\ud800")))
                .isNotEqualTo(plain(RequestContent.of("op", "?")))
                .isNotEqualTo(plain(RequestContent.of("op", "\udbff")));
        assertThat(plain(http("POST", "/a\udc00", ""))).isNotEqualTo(plain(http("POST", "/a?", "")));
    }

    @Test
    void secretMakesTheDigestUnguessable() {
        Fingerprint keyed =
                RequestFingerprinter.builder().secret("k1", OLD).build().of(REQUEST);

        assertThat(keyed.recipe()).isEqualTo("1;hmac=k1");
        assertThat(keyed.digest()).isNotEqualTo(plain(REQUEST).digest());
        assertThat(keyed)
                .isEqualTo(RequestFingerprinter.builder()
                        .secret("k1", OLD.clone())
                        .build()
                        .of(REQUEST))
                .isNotEqualTo(
                        RequestFingerprinter.builder().secret("k1", NEW).build().of(REQUEST));
    }

    @Test
    void recordIsComparedByTheSecretItWasMadeWith() {
        Fingerprint recorded =
                RequestFingerprinter.builder().secret("k1", OLD).build().of(REQUEST);
        RequestFingerprinter rotated = RequestFingerprinter.builder()
                .secret("k2", NEW)
                .previousSecret("k1", OLD)
                .previousSecret("k0", new byte[16])
                .build();

        assertThat(rotated.of(REQUEST).recipe()).isEqualTo("1;hmac=k2");
        assertThat(rotated.of(REQUEST, recorded.recipe())).isEqualTo(recorded);
        assertThat(rotated.of(TestRequests.json("{}"), recorded.recipe())).isNotEqualTo(recorded);
    }

    @Test
    void recordFromBeforeThereWasASecretIsStillCompared() {
        assertThat(RequestFingerprinter.builder().secret("k1", OLD).build().of(REQUEST, "1"))
                .isEqualTo(plain(REQUEST));
    }

    @Test
    void recordIsComparedByTheFieldSelectionItWasMadeWith() {
        Fingerprint recorded =
                RequestFingerprinter.builder().ignoredFields("/at").build().of(REQUEST);
        RequestContent retry = TestRequests.json("{\"at\":\"09:01\",\"amount\":5}");

        for (RequestFingerprinter now : new RequestFingerprinter[] {
            RequestFingerprinter.unkeyed(),
            RequestFingerprinter.builder().includeOnly("/currency").build(),
            RequestFingerprinter.builder().maxCanonicalBytes(1).build()
        }) {
            assertThat(now.of(retry)).isNotEqualTo(recorded);
            assertThat(now.of(retry, recorded.recipe())).isEqualTo(recorded);
        }
    }

    @Test
    void recordIsComparedByTheSizeLimitItWasMadeWith() {
        Fingerprint byBytes =
                RequestFingerprinter.builder().maxCanonicalBytes(10).build().of(REQUEST);
        RequestContent sameBytes = REQUEST;
        RequestContent reordered = TestRequests.json("{\"at\":\"09:00\",\"amount\":5}");

        assertThat(plain(reordered)).isEqualTo(plain(sameBytes));
        assertThat(RequestFingerprinter.unkeyed().of(sameBytes, byBytes.recipe()))
                .isEqualTo(byBytes);
        assertThat(RequestFingerprinter.unkeyed().of(reordered, byBytes.recipe()))
                .isNotEqualTo(byBytes);
    }

    @Test
    void unknownSecretIsReportedWithWhatToDo() {
        RequestFingerprinter here =
                RequestFingerprinter.builder().secret("k2", NEW).build();

        assertThatThrownBy(() -> here.of(REQUEST, "1;hmac=k1"))
                .isInstanceOfSatisfying(UnknownFingerprintRecipeException.class, e -> {
                    assertThat(e.recipe()).isEqualTo("1;hmac=k1");
                    assertThat(e.known()).isEqualTo("encoding version 1, secrets [k2]");
                })
                .hasMessageContaining("'k1' is not configured")
                .hasMessageContaining("previousSecret(\"k1\", …)");
    }

    @Test
    void laterEncodingVersionIsReportedWithWhatToDo() {
        assertThatThrownBy(() -> RequestFingerprinter.unkeyed().of(REQUEST, "2;hmac=k1"))
                .isInstanceOf(UnknownFingerprintRecipeException.class)
                .hasMessageContaining("'2;hmac=k1'")
                .hasMessageContaining("encoding version 1")
                .hasMessageContaining("Upgrade this instance");
    }

    @Test
    void optionSetTwiceIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> RequestFingerprinter.builder().secret("a", OLD).secret("b", NEW));
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> RequestFingerprinter.builder().secret("a", OLD).previousSecret("a", NEW));
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> RequestFingerprinter.builder().ignoredFields("/a").ignoredFields("/b"));
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> RequestFingerprinter.builder().includeOnly("/a").includeOnly("/b"));
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> RequestFingerprinter.builder().includeOnly("/a").ignoredFields("/b"))
                .withMessageContaining("ignoredFields or includeOnly");
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        RequestFingerprinter.builder().maxCanonicalBytes(1).maxCanonicalBytes(1));
    }

    @Test
    void invalidConfigurationIsRefusedAtOnce() {
        for (String pointer : new String[] {"", "amount", "/a~2", "/a~", "/\ud800"}) {
            assertThatIllegalArgumentException()
                    .as(pointer)
                    .isThrownBy(() -> RequestFingerprinter.builder().ignoredFields(pointer));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestFingerprinter.builder().includeOnly());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestFingerprinter.builder().includeOnly("/a", "/a"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestFingerprinter.builder().secret("k;1", OLD));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestFingerprinter.builder().secret("k1", new byte[15]))
                .withMessageContaining("at least 16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestFingerprinter.builder().maxCanonicalBytes(0));
    }

    @Test
    void recipeTooLongToStoreIsRefusedWhenConfigured() {
        String longest = "/" + "x".repeat(Fingerprint.MAX_RECIPE_LENGTH - "1;-/".length());
        assertThat(RequestFingerprinter.builder()
                        .ignoredFields(longest)
                        .build()
                        .of(REQUEST)
                        .recipe())
                .hasSize(512);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestFingerprinter.builder()
                        .ignoredFields(longest + "x")
                        .build());
        String[] pointers = IntStream.range(0, 100).mapToObj(i -> "/field" + i).toArray(String[]::new);

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        RequestFingerprinter.builder().ignoredFields(pointers).build())
                .withMessageContaining("512")
                .withMessageContaining("Name fewer");
    }

    @Test
    void secretIsCopiedAndNeverShown() {
        byte[] mine = OLD.clone();
        RequestFingerprinter fingerprinter =
                RequestFingerprinter.builder().secret("k1", mine).build();
        Fingerprint before = fingerprinter.of(REQUEST);
        Arrays.fill(mine, (byte) 0);

        assertThat(fingerprinter.of(REQUEST)).isEqualTo(before);
        assertThat(fingerprinter).hasToString("Fingerprinter[1;hmac=k1]");
    }

    @Test
    void bodyThatCannotBeReadHasNoFingerprint() {
        RequestContent request = RequestContent.http("POST", "/a", "", "", RepeatableBody.stream(() -> {
            throw new IOException("connection reset");
        }));

        assertThatThrownBy(() -> plain(request))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("POST /a")
                .hasRootCauseMessage("connection reset");
    }

    @Test
    void requestShowsNeitherItsQueryNorItsBody() {
        assertThat(RequestContent.http("POST", "/a", "token=x", TestRequests.JSON, bytes("{\"pin\":1}")))
                .hasToString("Request[POST /a]");
        assertThat(RequestContent.of("payments.create", "secret")).hasToString("Request[payments.create]");
    }

    @Test
    void manyThreadsShareOneFingerprinter() {
        RequestFingerprinter shared = RequestFingerprinter.builder()
                .secret("k1", OLD)
                .ignoredFields("/at")
                .build();
        Fingerprint alone = shared.of(REQUEST);

        assertThat(IntStream.range(0, 5_000).parallel().mapToObj(i -> shared.of(REQUEST)))
                .allMatch(alone::matches);
    }

    private static RequestContent http(String method, String path, String query) {
        return RequestContent.http(method, path, query, "", RepeatableBody.empty());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
