package dev.refrain.internal.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderValueTest {

    @Test
    void namesAreInLowerCaseAndValuesAsSent() throws Exception {
        HeaderValue value = HeaderValue.parse(
                "\t Multipart/Form-Data ;Boundary=aZ09 ; \tcharset=\"a;\t b\"\t;;x=!#$%&'*+-.^_`|~; ");

        assertThat(value.value()).isEqualTo("multipart/form-data");
        assertThat(value.parameters())
                .isEqualTo(Map.of("boundary", "aZ09", "charset", "a;\t b", "x", "!#$%&'*+-.^_`|~"));
    }

    @Test
    void backslashesInQuotesStayAndAnEscapedQuoteDoesNotEnd() throws Exception {
        assertThat(HeaderValue.parse("form-data; filename=\"a\\\"b\\\\\"").parameters())
                .isEqualTo(Map.of("filename", "a\\\"b\\\\"));
        assertThat(HeaderValue.parse("form-data; filename=\"\\\\\\\"\"").parameters())
                .isEqualTo(Map.of("filename", "\\\\\\\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a/",
                "/a",
                "a b",
                "a/b/c",
                "a@b",
                "a[b",
                "a`\u007f",
                "a:b",
                "a; b",
                "a; b=",
                "a; =c",
                "a; b =c",
                "a; b= c",
                "a; b=c d",
                "a; b=\"c",
                "a; b=\"c\\\"",
                "a; b=\"c\"d",
                "a; b=\"\n\"",
                "a; b=\"\u001f\"",
                "a; b=c; B=d",
                "a,b",
                "é"
            })
    void ambiguousHeaderValueIsRefused(String text) {
        assertThatExceptionOfType(NotCanonicalException.class).isThrownBy(() -> HeaderValue.parse(text));
    }
}
