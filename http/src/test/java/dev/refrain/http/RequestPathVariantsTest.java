package dev.refrain.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A way to write a path must not be a way past its protection. */
class RequestPathVariantsTest {

    @ParameterizedTest
    @CsvSource({
        "/orders/7, /orders/7",
        "/orders/7/, /orders/7",
        "//orders//7, /orders/7",
        "/%6Frders/7, /orders/7",
        "/orders%2F7, /orders/7",
        "/orders;v=1/7;w=2, /orders/7",
        "/%6Frders;a=b//7/;c, /orders/7",
        "/a+b, /a+b",
        "/a%2Bb, /a+b",
        "/caf%C3%A9, /café",
        "/a%zz, /a%zz",
        "/x/../orders/7, /orders/7",
        "/x%2F..%2Forders/./7/, /orders/7",
        "/%2e%2e/orders/7, /orders/7",
        "/, /"
    })
    void pathIsReadInEveryWayThatAHandlerMayReadIt(String sent, String read) {
        assertThat(RequestPathVariants.of(sent).all()).contains(sent, read);
    }

    @ParameterizedTest
    @CsvSource({"/a/../orders, /orders", "/orders;x, /orders"})
    void pathIsReadAsTheContainerReadsItToo(String sent, String container) {
        assertThat(RequestPathVariants.of(sent, container).all()).contains(sent, container);
    }
}
