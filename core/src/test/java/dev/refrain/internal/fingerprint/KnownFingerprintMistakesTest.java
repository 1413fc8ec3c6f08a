package dev.refrain.internal.fingerprint;

import static dev.refrain.internal.fingerprint.TestRequests.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.BodyAlreadyReadException;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import dev.refrain.api.UnknownFingerprintRecipeException;
import dev.refrain.store.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;

/** Mistakes that published code makes with fingerprints, one test each. */
class KnownFingerprintMistakesTest {

    private static final byte[] BODY = "{\"amount\":5}".getBytes(StandardCharsets.UTF_8);

    @Test
    void bodyOnlySoAnotherEndpointReplaysTheWrongAnswer() {
        assertThat(plain(RequestContent.http("POST", "/refunds", "", TestRequests.JSON, BODY)))
                .isNotEqualTo(plain(RequestContent.http("POST", "/payments", "", TestRequests.JSON, BODY)))
                .isNotEqualTo(plain(RequestContent.http("PATCH", "/refunds", "", TestRequests.JSON, BODY)));
        assertThat(plain(RequestContent.json("refund", BODY))).isNotEqualTo(plain(RequestContent.json("pay", BODY)));
    }

    @Test
    void noQueryString() {
        assertThat(plain(RequestContent.http("POST", "/payments", "account=1", TestRequests.JSON, BODY)))
                .isNotEqualTo(plain(RequestContent.http("POST", "/payments", "account=2", TestRequests.JSON, BODY)))
                .isNotEqualTo(plain(RequestContent.http("POST", "/payments", "", TestRequests.JSON, BODY)));
    }

    @Test
    void onlyTheFirstMegabyte() {
        for (String contentType : new String[] {"", "application/octet-stream", TestRequests.JSON, TestRequests.FORM}) {
            byte[] body = "a".repeat(3 << 20).getBytes(StandardCharsets.US_ASCII);
            Fingerprint before = plain(TestRequests.post(contentType, body));
            body[body.length - 1] = 'b';
            assertThat(plain(TestRequests.post(contentType, body)))
                    .as(contentType)
                    .isNotEqualTo(before);
        }
    }

    @Test
    void hashOfAnAlreadyDrainedStreamIsAlwaysTheSame() {
        InputStream onlyOne = new ByteArrayInputStream(BODY);
        RequestContent request =
                RequestContent.http("POST", "/payments", "", TestRequests.JSON, RepeatableBody.stream(() -> onlyOne));
        plain(request);

        assertThatThrownBy(() -> plain(request))
                .isInstanceOfSatisfying(BodyAlreadyReadException.class, drained -> {
                    assertThat(drained.expected()).isEqualTo(BODY.length);
                    assertThat(drained.found()).isZero();
                })
                .hasMessageContaining("opens the body anew");
    }

    @Test
    void toStringOfAMapSoMemberOrderMatters() {
        assertThat(plain(TestRequests.json("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}")))
                .isEqualTo(plain(TestRequests.json("{ \"b\" : { \"d\":3, \"c\":2 }, \"a\":1 }")));
    }

    @Test
    void unknownDigestSilentlyBecomesMd5() throws Exception {
        // There is no digest to choose: the length is SHA-256's, and a recipe that asks for another is not followed.
        assertThat(plain(TestRequests.json("{}")).digest())
                .hasSize(MessageDigest.getInstance("SHA-256").getDigestLength());
        for (String recipe : new String[] {"1;md5", "1;digest=md5", "md5", "1;hmac=md5"}) {
            assertThatThrownBy(() -> RequestFingerprinter.unkeyed().of(TestRequests.json("{}"), recipe))
                    .isInstanceOf(UnknownFingerprintRecipeException.class);
        }
    }

    @Test
    void differentKeyWithTheSameBodyIsRefused() {
        // A fingerprint knows neither key nor scope: two honest orders of the same thing have equal ones, and only the
        // identity tells them apart.
        assertThat(plain(TestRequests.json("{\"order\":\"coffee\"}")))
                .isEqualTo(plain(TestRequests.json("{\"order\":\"coffee\"}")));
        assertThat(RequestContent.class.getRecordComponents())
                .extracting(RecordComponent::getName)
                .containsExactly("method", "path", "query", "contentType", "body");
    }
}
