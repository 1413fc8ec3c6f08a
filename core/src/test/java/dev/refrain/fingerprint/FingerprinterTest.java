package dev.refrain.fingerprint;

import static dev.refrain.fingerprint.Sent.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FingerprinterTest {

    private static final byte[] OLD = "an old secret of 24 bytes".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEW = "a new secret of 24 bytes.".getBytes(StandardCharsets.US_ASCII);
    private static final Request REQUEST = Sent.json("{\"amount\":5,\"at\":\"09:00\"}");

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
    void anAbsentAndAnEmptyBodyAreTheSameWhateverTheContentType() {
        Fingerprint absent = plain(Request.http("POST", "/a", "", "", Body.empty()));
        for (String type : new String[] {"", "text/plain", Sent.JSON, Sent.FORM, "multipart/form-data; boundary=b"}) {
            assertThat(plain(Request.http("POST", "/a", "", type, new byte[0])))
                    .as(type)
                    .isEqualTo(absent);
        }
    }

    @Test
    void theContentTypeDecidesHowABodyIsReadAndIsNotCompared() {
        String body = "{\"b\":1, \"a\":2}";
        assertThat(plain(Sent.post("application/json; charset=utf-8", body)))
                .isEqualTo(plain(Sent.post("Application/JSON;charset=\"UTF-8\"", body)))
                .isEqualTo(plain(Sent.post("application/merge-patch+json", body)))
                .isEqualTo(plain(Sent.post("application/json;", body)))
                .isNotEqualTo(plain(Sent.post("text/plain", body)));
        assertThat(plain(Sent.post("text/plain", body))).isEqualTo(plain(Sent.post("application/octet-stream", body)));
    }

    @Test
    void anOperationIsNeverTakenForAnHttpRequest() {
        assertThat(plain(Request.of("/a", "x"))).isNotEqualTo(plain(Request.http("POST", "/a", "", "", bytes("x"))));
        assertThatIllegalArgumentException().isThrownBy(() -> Request.http("", "/a", "", "", Body.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> Request.of("", "x"));
    }

    @Test
    void aTextIsTheSameAsItsUtf8Bytes() {
        assertThat(plain(Request.of("op", "grüße 😀"))).isEqualTo(plain(Request.of("op", bytes("grüße 😀"))));
    }

    @Test
    void textsThatJavaWouldEncodeAlikeAreDifferentRequests() {
        assertThat(plain(Request.of("op", "\ud800")))
                .isNotEqualTo(plain(Request.of("op", "?")))
                .isNotEqualTo(plain(Request.of("op", "\udbff")));
        assertThat(plain(http("POST", "/a\udc00", ""))).isNotEqualTo(plain(http("POST", "/a?", "")));
    }

    @Test
    void aSecretMakesTheDigestUnguessable() {
        Fingerprint keyed = Fingerprinter.builder().secret("k1", OLD).build().of(REQUEST);

        assertThat(keyed.recipe()).isEqualTo("1;hmac=k1");
        assertThat(keyed.digest()).isNotEqualTo(plain(REQUEST).digest());
        assertThat(keyed)
                .isEqualTo(Fingerprinter.builder()
                        .secret("k1", OLD.clone())
                        .build()
                        .of(REQUEST))
                .isNotEqualTo(Fingerprinter.builder().secret("k1", NEW).build().of(REQUEST));
    }

    @Test
    void aRecordIsComparedByTheSecretItWasMadeWith() {
        Fingerprint recorded = Fingerprinter.builder().secret("k1", OLD).build().of(REQUEST);
        Fingerprinter rotated = Fingerprinter.builder()
                .secret("k2", NEW)
                .previousSecret("k1", OLD)
                .previousSecret("k0", new byte[16])
                .build();

        assertThat(rotated.of(REQUEST).recipe()).isEqualTo("1;hmac=k2");
        assertThat(rotated.of(REQUEST, recorded.recipe())).isEqualTo(recorded);
        assertThat(rotated.of(Sent.json("{}"), recorded.recipe())).isNotEqualTo(recorded);
    }

    @Test
    void aRecordFromBeforeThereWasASecretIsStillCompared() {
        assertThat(Fingerprinter.builder().secret("k1", OLD).build().of(REQUEST, "1"))
                .isEqualTo(plain(REQUEST));
    }

    @Test
    void aRecordIsComparedByTheFieldSelectionItWasMadeWith() {
        Fingerprint recorded = Fingerprinter.builder().exclude("/at").build().of(REQUEST);
        Request retry = Sent.json("{\"at\":\"09:01\",\"amount\":5}");

        for (Fingerprinter now : new Fingerprinter[] {
            Fingerprinter.unkeyed(),
            Fingerprinter.builder().includeOnly("/currency").build(),
            Fingerprinter.builder().maxCanonicalBytes(1).build()
        }) {
            assertThat(now.of(retry)).isNotEqualTo(recorded);
            assertThat(now.of(retry, recorded.recipe())).isEqualTo(recorded);
        }
    }

    @Test
    void aRecordIsComparedByTheSizeLimitItWasMadeWith() {
        Fingerprint byBytes =
                Fingerprinter.builder().maxCanonicalBytes(10).build().of(REQUEST);
        Request sameBytes = REQUEST;
        Request reordered = Sent.json("{\"at\":\"09:00\",\"amount\":5}");

        assertThat(plain(reordered)).isEqualTo(plain(sameBytes));
        assertThat(Fingerprinter.unkeyed().of(sameBytes, byBytes.recipe())).isEqualTo(byBytes);
        assertThat(Fingerprinter.unkeyed().of(reordered, byBytes.recipe())).isNotEqualTo(byBytes);
    }

    @Test
    void anUnknownSecretIsToldWithWhatToDo() {
        Fingerprinter here = Fingerprinter.builder().secret("k2", NEW).build();

        assertThatThrownBy(() -> here.of(REQUEST, "1;hmac=k1"))
                .isInstanceOfSatisfying(UnknownRecipeException.class, e -> {
                    assertThat(e.recipe()).isEqualTo("1;hmac=k1");
                    assertThat(e.known()).isEqualTo("encoding version 1, secrets [k2]");
                })
                .hasMessageContaining("'k1' is not configured")
                .hasMessageContaining("formerSecret(\"k1\", …)");
    }

    @Test
    void aLaterEncodingVersionIsToldWithWhatToDo() {
        assertThatThrownBy(() -> Fingerprinter.unkeyed().of(REQUEST, "2;hmac=k1"))
                .isInstanceOf(UnknownRecipeException.class)
                .hasMessageContaining("'2;hmac=k1'")
                .hasMessageContaining("encoding version 1")
                .hasMessageContaining("Upgrade this instance");
    }

    @Test
    void anOptionSetTwiceIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Fingerprinter.builder().secret("a", OLD).secret("b", NEW));
        assertThatIllegalStateException()
                .isThrownBy(() -> Fingerprinter.builder().secret("a", OLD).previousSecret("a", NEW));
        assertThatIllegalStateException()
                .isThrownBy(() -> Fingerprinter.builder().exclude("/a").exclude("/b"));
        assertThatIllegalStateException()
                .isThrownBy(() -> Fingerprinter.builder().includeOnly("/a").includeOnly("/b"));
        assertThatIllegalStateException()
                .isThrownBy(() -> Fingerprinter.builder().includeOnly("/a").exclude("/b"))
                .withMessageContaining("exclude or select");
        assertThatIllegalStateException()
                .isThrownBy(() -> Fingerprinter.builder().maxCanonicalBytes(1).maxCanonicalBytes(1));
    }

    @Test
    void whatCannotBeConfiguredIsRefusedAtOnce() {
        for (String pointer : new String[] {"", "amount", "/a~2", "/a~", "/\ud800"}) {
            assertThatIllegalArgumentException()
                    .as(pointer)
                    .isThrownBy(() -> Fingerprinter.builder().exclude(pointer));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.builder().includeOnly());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.builder().includeOnly("/a", "/a"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.builder().secret("k;1", OLD));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.builder().secret("k1", new byte[15]))
                .withMessageContaining("at least 16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.builder().maxCanonicalBytes(0));
    }

    @Test
    void aRecipeTooLongToStoreIsRefusedWhenConfigured() {
        String longest = "/" + "x".repeat(Fingerprint.MAX_RECIPE_LENGTH - "1;-/".length());
        assertThat(Fingerprinter.builder().exclude(longest).build().of(REQUEST).recipe())
                .hasSize(512);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.builder().exclude(longest + "x").build());
        String[] pointers = IntStream.range(0, 100).mapToObj(i -> "/field" + i).toArray(String[]::new);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.builder().exclude(pointers).build())
                .withMessageContaining("512")
                .withMessageContaining("Name fewer");
    }

    @Test
    void aSecretIsCopiedAndNeverShown() {
        byte[] mine = OLD.clone();
        Fingerprinter fingerprinter = Fingerprinter.builder().secret("k1", mine).build();
        Fingerprint before = fingerprinter.of(REQUEST);
        Arrays.fill(mine, (byte) 0);

        assertThat(fingerprinter.of(REQUEST)).isEqualTo(before);
        assertThat(fingerprinter).hasToString("Fingerprinter[1;hmac=k1]");
    }

    @Test
    void aBodyThatCannotBeReadHasNoFingerprint() {
        Request request = Request.http("POST", "/a", "", "", Body.stream(() -> {
            throw new IOException("connection reset");
        }));

        assertThatThrownBy(() -> plain(request))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("POST /a")
                .hasRootCauseMessage("connection reset");
    }

    @Test
    void aRequestShowsNeitherItsQueryNorItsBody() {
        assertThat(Request.http("POST", "/a", "token=x", Sent.JSON, bytes("{\"pin\":1}")))
                .hasToString("Request[POST /a]");
        assertThat(Request.of("payments.create", "secret")).hasToString("Request[payments.create]");
    }

    @Test
    void manyThreadsShareOneFingerprinter() {
        Fingerprinter shared =
                Fingerprinter.builder().secret("k1", OLD).exclude("/at").build();
        Fingerprint alone = shared.of(REQUEST);

        assertThat(IntStream.range(0, 5_000).parallel().mapToObj(i -> shared.of(REQUEST)))
                .allMatch(alone::matches);
    }

    private static Request http(String method, String path, String query) {
        return Request.http(method, path, query, "", Body.empty());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
