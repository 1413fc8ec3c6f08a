package dev.refrain.internal.fingerprint;

import static dev.refrain.internal.fingerprint.TestRequests.kind;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.Fingerprint;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormFingerprintTest {

    @Test
    void formIsComparedByItsDecodedFields() {
        assertThat(form("name=J%C3%BCrgen+K.&city=%7EOslo"))
                .isEqualTo(form("name=J%c3%bcrgen%20K%2E&city=~Oslo"))
                .isEqualTo(form("&name=J%C3%BCrgen+K.&&city=~Oslo&"))
                .isEqualTo(TestRequests.plain(TestRequests.post(
                        "application/x-www-form-urlencoded;charset=UTF-8", "name=J%C3%BCrgen+K.&city=~Oslo")))
                .isNotEqualTo(form("name=J%C3%BCrgen+K.&city=Oslo"));
    }

    @Test
    void orderOfFieldsMatters() {
        assertThat(form("a=1&a=2")).isNotEqualTo(form("a=2&a=1"));
        assertThat(form("a=1&b=2")).isNotEqualTo(form("b=2&a=1"));
        // which of two items has the price, to a server that nests by brackets
        assertThat(form("i[][n]=x&i[][p]=1&i[][n]=y")).isNotEqualTo(form("i[][n]=x&i[][n]=y&i[][p]=1"));
    }

    @Test
    void fieldsCannotBeShiftedIntoEachOther() {
        assertThat(form("a=b%26c=d")).isNotEqualTo(form("a=b&c=d"));
        assertThat(form("a%3Db=c")).isNotEqualTo(form("a=b=c"));
        assertThat(form("ab=c")).isNotEqualTo(form("a=bc"));
        assertThat(form("a")).isNotEqualTo(form("a="));
        assertThat(form("=a")).isNotEqualTo(form("a"));
        assertThat(form("=a")).isNotEqualTo(form("=b"));
        assertThat(form("=a")).isNotEqualTo(form("%3Da=a"));
        assertThat(form("a%2Bb=")).isNotEqualTo(form("a+b="));
    }

    @Test
    void bytesThatAreNoTextAreKeptApart() {
        assertThat(form("a=%FF")).isNotEqualTo(form("a=%FE"));
        assertThat(form("a=%FF")).isNotEqualTo(form("a=%EF%BF%BD"));
        byte[] raw = "a=\u00ff".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(TestRequests.plain(TestRequests.post(TestRequests.FORM, raw)))
                .isEqualTo(form("a=%FF"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%4", "a=%zz", "%u0041=1", "a=1&b=%-1", "a=%+1"})
    void brokenEscapeMakesItsBytesCount(String body) {
        assertThat(kind(TestRequests.post(TestRequests.FORM, body))).isEqualTo(DigestedBodyKind.FORM_BYTES);
    }

    @Test
    void formOverTheLimitIsTakenByItsBytes() {
        assertThat(kind(TestRequests.post(TestRequests.FORM, "a=1"), "1;max=3")).isEqualTo(DigestedBodyKind.FORM);
        assertThat(kind(TestRequests.post(TestRequests.FORM, "a=1"), "1;max=2")).isEqualTo(DigestedBodyKind.FORM_BYTES);
    }

    private static Fingerprint form(String body) {
        return TestRequests.plain(TestRequests.post(TestRequests.FORM, body));
    }
}
