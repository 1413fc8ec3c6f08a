package dev.refrain.internal.fingerprint;

import static dev.refrain.internal.fingerprint.TestRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.RequestFingerprinter;
import dev.refrain.api.RequestContent;
import dev.refrain.store.Fingerprint;
import org.junit.jupiter.api.Test;

class FieldSelectionTest {

    @Test
    void excludedFieldCanHaveAnyValueOrBeAbsent() {
        RequestFingerprinter but = excluding("/requestedAt", "/meta/trace");
        Fingerprint recorded = but.of(json("{\"amount\":5,\"requestedAt\":1,\"meta\":{\"trace\":\"x\",\"shop\":7}}"));

        assertThat(but.of(json("{\"amount\":5,\"requestedAt\":{\"t\":[2]},\"meta\":{\"shop\":7,\"trace\":null}}")))
                .isEqualTo(recorded);
        assertThat(but.of(json("{\"amount\":5,\"meta\":{\"shop\":7}}"))).isEqualTo(recorded);
        assertThat(but.of(json("{\"amount\":5,\"requestedAt\":1,\"meta\":{\"trace\":\"x\",\"shop\":8}}")))
                .isNotEqualTo(recorded);
        assertThat(but.of(json("{\"amount\":5,\"requestedAt\":1,\"trace\":\"x\",\"meta\":{\"shop\":7}}")))
                .isNotEqualTo(recorded);
    }

    @Test
    void excludedFieldMayHoldANumberThatIsNotExact() {
        RequestFingerprinter but = excluding("/traceId");

        assertThat(but.of(json("{\"a\":1,\"b\":2,\"traceId\":12345678901234567890}")))
                .isEqualTo(but.of(json("{\"traceId\":98765432109876543210,\"b\":2,\"a\":1}")));
    }

    @Test
    void elementsAreExcludedByTheIndexTheyWereSentWith() {
        RequestFingerprinter but = excluding("/items/0", "/items/1/at");

        assertThat(but.of(json("{\"items\":[1,{\"at\":2,\"n\":3},4]}")))
                .isEqualTo(but.of(json("{\"items\":[9,{\"at\":8,\"n\":3},4]}")))
                .isNotEqualTo(but.of(json("{\"items\":[1,{\"at\":2,\"n\":4},4]}")))
                .isNotEqualTo(but.of(json("{\"items\":[1,{\"at\":2,\"n\":3},5]}")));
        assertThat(but.of(json("{\"items\":{\"0\":1}}"))).isEqualTo(but.of(json("{\"items\":{\"0\":2}}")));
    }

    @Test
    void objectExcludedWithOneOfItsMembersIsExcluded() {
        RequestFingerprinter but = excluding("/meta/trace", "/meta");
        assertThat(but.of(json("{\"meta\":{\"trace\":1,\"x\":2}}"))).isEqualTo(but.of(json("{}")));
    }

    @Test
    void pointersAreUnescapedAsRfc6901Says() {
        assertThat(excluding("/a~1b", "/m~0n", "/~01", "/").of(json("{\"a/b\":1,\"m~n\":1,\"~1\":1,\"\":1}")))
                .extracting(Fingerprint::digest)
                .isEqualTo(excluding("/x").of(json("{}")).digest());
    }

    @Test
    void onlySelectedFieldsCount() {
        RequestFingerprinter only = selecting("/amount", "/card/number", "/items/1");
        Fingerprint recorded =
                only.of(json("{\"amount\":5,\"card\":{\"number\":\"4\",\"x\":1},\"items\":[1,2,3],\"y\":0}"));

        assertThat(only.of(json("{\"card\":{\"number\":\"4\"},\"amount\":5.0,\"items\":[7,2]}")))
                .isEqualTo(recorded);
        assertThat(only.of(json("{\"card\":{\"number\":\"5\"},\"amount\":5,\"items\":[1,2]}")))
                .isNotEqualTo(recorded);
        assertThat(only.of(json("{\"card\":{\"number\":\"4\"},\"items\":[1,2]}")))
                .isNotEqualTo(recorded);
        assertThat(only.of(json("{\"card\":{\"number\":\"4\"},\"amount\":5,\"items\":[1,3]}")))
                .isNotEqualTo(recorded);
    }

    @Test
    void elementBehindTheEndOrNamedOtherwiseIsAbsent() {
        for (String index : new String[] {"2", "02", "-1", "-", "x", "99999999999"}) {
            RequestFingerprinter only = selecting("/a", "/items/" + index);
            assertThat(only.of(json("{\"a\":1,\"items\":[1,2]}"))).as(index).isEqualTo(only.of(json("{\"a\":1}")));
        }
    }

    @Test
    void selectedFieldThatIsNullIsNotAbsent() {
        RequestFingerprinter only = selecting("/a", "/b");
        assertThat(only.of(json("{\"a\":1,\"b\":null}"))).isNotEqualTo(only.of(json("{\"a\":1}")));
    }

    @Test
    void selectionThatFindsNothingComparesTheBytesInsteadOfNothing() {
        RequestFingerprinter typo = selecting("/amuont");
        assertThat(typo.of(json("{\"amount\":5}"))).isNotEqualTo(typo.of(json("{\"amount\":6}")));
        assertThat(typo.of(form("amount=5"))).isNotEqualTo(typo.of(form("amount=6")));
        assertThat(typo.of(multipart("amount", "5"))).isNotEqualTo(typo.of(multipart("amount", "6")));
    }

    @Test
    void selectionCannotBeAppliedToWhatCannotBeRead() {
        RequestFingerprinter but = excluding("/at");
        assertThat(but.of(json("{\"a\":1,\"at\":1"))).isNotEqualTo(but.of(json("{\"a\":1,\"at\":2")));
        assertThat(but.of(TestRequests.post("text/plain", "at=1")))
                .isNotEqualTo(but.of(TestRequests.post("text/plain", "at=2")));
    }

    @Test
    void fieldsOfFormsAreNamedByOneToken() {
        RequestFingerprinter but = excluding("/requested at", "/größe", "/a/b");
        assertThat(but.of(form("x=1&requested+at=2&gr%C3%B6%C3%9Fe=3&a/b=4")))
                .isEqualTo(but.of(form("x=1&requested%20at=9&gr%c3%b6%c3%9fe=9&gr%C3%B6%C3%9Fe=8&a/b=4")))
                .isNotEqualTo(but.of(form("x=1&a/b=5")));
        assertThat(but.of(form("a=1"))).isNotEqualTo(but.of(form("a=2")));
        assertThat(selecting("/x").of(form("x=1&y=2&x=3")))
                .isEqualTo(selecting("/x").of(form("x=1&x=3")))
                .isNotEqualTo(selecting("/x").of(form("x=3&x=1")));
    }

    @Test
    void partsOfMultipartAreNamedByOneToken() {
        assertThat(excluding("/größe").of(multipart("größe", "1")))
                .isEqualTo(excluding("/größe").of(multipart("größe", "2")))
                .isNotEqualTo(excluding("/größe").of(multipart("grösse", "2")));
        assertThat(selecting("/a").of(multipart("a", "1")))
                .isNotEqualTo(selecting("/a").of(multipart("a", "2")));
    }

    private static RequestFingerprinter excluding(String... pointers) {
        return RequestFingerprinter.builder().ignoredFields(pointers).build();
    }

    private static RequestFingerprinter selecting(String... pointers) {
        return RequestFingerprinter.builder().includeOnly(pointers).build();
    }

    private static RequestContent form(String body) {
        return TestRequests.post(TestRequests.FORM, body);
    }

    private static RequestContent multipart(String name, String content) {
        return TestRequests.post(
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + content + "\r\n--b--\r\n");
    }
}
