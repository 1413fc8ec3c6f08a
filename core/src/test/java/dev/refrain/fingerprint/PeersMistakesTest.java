package dev.refrain.fingerprint;

import static dev.refrain.fingerprint.Sent.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;

/** Mistakes that published code makes with fingerprints, one test each. */
class PeersMistakesTest {

    private static final byte[] BODY = "{\"amount\":5}".getBytes(StandardCharsets.UTF_8);

    @Test
    void bodyOnlySoAnotherEndpointReplaysTheWrongAnswer() {
        assertThat(plain(Request.http("POST", "/refunds", "", Sent.JSON, BODY)))
                .isNotEqualTo(plain(Request.http("POST", "/payments", "", Sent.JSON, BODY)))
                .isNotEqualTo(plain(Request.http("PATCH", "/refunds", "", Sent.JSON, BODY)));
        assertThat(plain(Request.json("refund", BODY))).isNotEqualTo(plain(Request.json("pay", BODY)));
    }

    @Test
    void noQueryString() {
        assertThat(plain(Request.http("POST", "/payments", "account=1", Sent.JSON, BODY)))
                .isNotEqualTo(plain(Request.http("POST", "/payments", "account=2", Sent.JSON, BODY)))
                .isNotEqualTo(plain(Request.http("POST", "/payments", "", Sent.JSON, BODY)));
    }

    @Test
    void onlyTheFirstMegabyte() {
        for (String contentType : new String[] {"", "application/octet-stream", Sent.JSON, Sent.FORM}) {
            byte[] body = "a".repeat(3 << 20).getBytes(StandardCharsets.US_ASCII);
            Fingerprint before = plain(Sent.post(contentType, body));
            body[body.length - 1] = 'b';
            assertThat(plain(Sent.post(contentType, body))).as(contentType).isNotEqualTo(before);
        }
    }

    @Test
    void theHashOfAnAlreadyDrainedStreamIsAlwaysTheSame() {
        InputStream onlyOne = new ByteArrayInputStream(BODY);
        Request request = Request.http("POST", "/payments", "", Sent.JSON, Body.stream(() -> onlyOne));
        plain(request);

        assertThatThrownBy(() -> plain(request))
                .isInstanceOfSatisfying(DrainedBodyException.class, drained -> {
                    assertThat(drained.expected()).isEqualTo(BODY.length);
                    assertThat(drained.found()).isZero();
                })
                .hasMessageContaining("opens the body anew");
    }

    @Test
    void toStringOfAMapSoMemberOrderMatters() {
        assertThat(plain(Sent.json("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}")))
                .isEqualTo(plain(Sent.json("{ \"b\" : { \"d\":3, \"c\":2 }, \"a\":1 }")));
    }

    @Test
    void anUnknownDigestSilentlyBecomesMd5() throws Exception {
        // There is no digest to choose: the length is SHA-256's, and a recipe that asks for another is not followed.
        assertThat(plain(Sent.json("{}")).digest())
                .hasSize(MessageDigest.getInstance("SHA-256").getDigestLength());
        for (String recipe : new String[] {"1;md5", "1;digest=md5", "md5", "1;hmac=md5"}) {
            assertThatThrownBy(() -> Fingerprinter.unkeyed().of(Sent.json("{}"), recipe))
                    .isInstanceOf(UnknownRecipeException.class);
        }
    }

    @Test
    void aDifferentKeyWithTheSameBodyIsRefused() {
        // A fingerprint knows neither key nor scope: two honest orders of the same thing have equal ones, and only the
        // identity tells them apart.
        assertThat(plain(Sent.json("{\"order\":\"coffee\"}"))).isEqualTo(plain(Sent.json("{\"order\":\"coffee\"}")));
        assertThat(Request.class.getRecordComponents())
                .extracting(RecordComponent::getName)
                .containsExactly("method", "path", "query", "contentType", "body");
    }
}
