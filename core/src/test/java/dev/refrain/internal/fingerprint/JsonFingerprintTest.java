package dev.refrain.internal.fingerprint;

import static dev.refrain.internal.fingerprint.TestRequests.json;
import static dev.refrain.internal.fingerprint.TestRequests.kind;
import static dev.refrain.internal.fingerprint.TestRequests.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import dev.refrain.store.Fingerprint;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFingerprintTest {

    @Test
    void layoutOrderAndSpellingOfJsonDoNotMatter() {
        assertThat(plain(json("{\"amount\":1.50,\"name\":\"\\u0041\",\"tags\":[1,2]}")))
                .isEqualTo(plain(json(" {\n\"tags\" : [ 1.0 , 2e0 ],\t\"name\":\"A\", \"amount\":15e-1 } ")));
    }

    @Test
    void meaningOfJsonDoesMatter() {
        assertThat(plain(json("{\"a\":1}")))
                .isNotEqualTo(plain(json("{\"a\":2}")))
                .isNotEqualTo(plain(json("{\"a\":\"1\"}")))
                .isNotEqualTo(plain(json("{\"A\":1}")))
                .isNotEqualTo(plain(json("{\"a\":1,\"b\":null}")))
                .isNotEqualTo(plain(json("{\"a\":[1]}")))
                .isNotEqualTo(plain(json("[{\"a\":1}]")));
        assertThat(plain(json("[1,2]"))).isNotEqualTo(plain(json("[2,1]")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/json", "text/json", "application/vnd.api+json", "application/json;v=2;charset=utf8"
            })
    void contentTypeIsJson(String contentType) {
        assertThat(kind(TestRequests.post(contentType, "{}"))).isEqualTo(DigestedBodyKind.JSON);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "json",
                "application/x-ndjson",
                "application/jsonp",
                "application/json/x",
                "application/json; =",
                "application/json; charset=utf-8; charset=utf-8",
                "application/json, text/plain",
                "text/plain",
                ";",
                "application/"
            })
    void contentTypeIsBytes(String contentType) {
        assertThat(kind(TestRequests.post(contentType, "{}"))).isEqualTo(DigestedBodyKind.BYTES);
    }

    @Test
    void jsonInAnotherCharsetIsTakenByItsBytes() {
        assertThat(kind(TestRequests.post("application/json; charset=iso-8859-1", "{}")))
                .isEqualTo(DigestedBodyKind.JSON_BYTES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"amount\":9007199254740993}",
                "{\"amount\":1e400}",
                "{\"a\":1,\"a\":1}",
                "{\"a\":",
                "\ufeff{}",
                "{\"a\":\"\\ud800\"}"
            })
    void jsonWithoutACanonicalFormIsComparedByItsBytes(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        assertThat(kind(TestRequests.post(TestRequests.JSON, bytes))).isEqualTo(DigestedBodyKind.JSON_BYTES);
        Fingerprint fingerprint = plain(TestRequests.post(TestRequests.JSON, bytes));

        assertThat(plain(TestRequests.post(TestRequests.JSON, bytes.clone()))).isEqualTo(fingerprint);
        assertThat(plain(TestRequests.post(TestRequests.JSON, body + " "))).isNotEqualTo(fingerprint);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(plain(TestRequests.post(TestRequests.JSON, flipped)))
                    .as("bit %d", bit)
                    .isNotEqualTo(fingerprint);
        }
    }

    @Test
    void amountsThatAreTheSameDoubleAreDifferentRequests() {
        assertThat(plain(json("{\"amount\":9007199254740993}")))
                .isNotEqualTo(plain(json("{\"amount\":9007199254740992}")));
        assertThat(plain(json("{\"id\":12345678901234567890}")))
                .isNotEqualTo(plain(json("{\"id\":12345678901234567891}")));
    }

    @Test
    void jsonOverTheLimitIsTakenByItsBytes() {
        String body = "{\"b\":1,\"a\":2}";
        assertThat(kind(json(body), "1;max=13")).isEqualTo(DigestedBodyKind.JSON);
        assertThat(kind(json(body), "1;max=12")).isEqualTo(DigestedBodyKind.JSON_BYTES);
    }

    @Test
    void streamHasTheFingerprintOfItsBytesOnBothSidesOfTheLimit() {
        byte[] bytes = "{\"b\":1,\"a\":2}".getBytes(StandardCharsets.UTF_8);
        for (int limit : new int[] {1, 12, 13, 14}) {
            RequestFingerprinter limited =
                    RequestFingerprinter.builder().maxCanonicalBytes(limit).build();
            RepeatableBody stream = RepeatableBody.stream(() -> new ByteArrayInputStream(bytes));
            assertThat(limited.of(RequestContent.http("POST", "/payments", "", TestRequests.JSON, stream)))
                    .as("limit %d", limit)
                    .isEqualTo(limited.of(TestRequests.post(TestRequests.JSON, bytes)));
        }
    }

    @Test
    void jsonTakenByItsBytesIsNotTakenForThoseBytesAsAnotherKind() {
        assertThat(plain(json("{"))).isNotEqualTo(plain(TestRequests.post("text/plain", "{")));
        assertThat(plain(json("{}"))).isNotEqualTo(plain(TestRequests.post("text/plain", "{}")));
    }
}
