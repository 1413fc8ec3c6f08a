package dev.refrain.internal.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.BodyAlreadyReadException;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatableBodyTest {

    private static final byte[] BYTES = "{\"amount\":5}".getBytes(StandardCharsets.UTF_8);

    @Test
    void bodyThatOpensAnewCanBeReadAgain() {
        RequestContent request = request("", RepeatableBody.stream(() -> new ByteArrayInputStream(BYTES)));

        assertThat(TestRequests.plain(request))
                .isEqualTo(TestRequests.plain(request))
                .isEqualTo(TestRequests.plain(request("", RepeatableBody.of(BYTES))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", TestRequests.JSON, TestRequests.FORM, "multipart/form-data; boundary=b"})
    void oneStreamServedTwiceFailsTheSecondTime(String contentType) {
        var onlyOne = new ByteArrayInputStream(BYTES);
        // Wrapped anew each time, so that it cannot be known by its identity.
        RequestContent request = request(contentType, RepeatableBody.stream(() -> new FilterInputStream(onlyOne) {}));
        TestRequests.plain(request);

        assertThatThrownBy(() -> TestRequests.plain(request)).isInstanceOf(BodyAlreadyReadException.class);
    }

    @Test
    void streamDrainedBeforeTheFirstReadingIsSeenByItsAnnouncedLength() {
        var drained = new ByteArrayInputStream(BYTES);
        drained.readAllBytes();

        assertThatThrownBy(() -> TestRequests.plain(
                        request(TestRequests.JSON, RepeatableBody.stream(() -> drained, BYTES.length))))
                .isInstanceOf(BodyAlreadyReadException.class)
                .hasMessageContaining("found 0 bytes where 12 were announced");
    }

    @Test
    void bodyLongerThanAnnouncedFails() {
        assertThatThrownBy(() -> TestRequests.plain(
                        request("", RepeatableBody.stream(() -> new ByteArrayInputStream(BYTES), 3))))
                .isInstanceOf(BodyAlreadyReadException.class);
    }

    @Test
    void readingByteByByteIsMeasuredToo() throws Exception {
        try (InputStream in = RepeatableBody.stream(() -> new ByteArrayInputStream(new byte[] {7, 0}), 3)
                .open()) {
            assertThat(in.read()).isEqualTo(7);
            assertThat(in.read()).isZero();
            assertThatThrownBy(in::read)
                    .isInstanceOfSatisfying(
                            BodyAlreadyReadException.class,
                            e -> assertThat(e.found()).isEqualTo(2));
        }
    }

    @Test
    void emptyBodyMayBeReadAgain() {
        RequestContent request = request("", RepeatableBody.stream(InputStream::nullInputStream));
        assertThat(TestRequests.plain(request))
                .isEqualTo(TestRequests.plain(request))
                .isEqualTo(TestRequests.plain(request("", RepeatableBody.empty())));
        assertThat(TestRequests.plain(request("", RepeatableBody.stream(InputStream::nullInputStream, 0))))
                .isEqualTo(TestRequests.plain(request));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", TestRequests.JSON, TestRequests.FORM, "multipart/form-data; boundary=b"})
    void streamIsOpenedOnceForEachFingerprintAndClosed(String contentType) {
        var opened = new AtomicInteger();
        var closed = new AtomicInteger();
        TestRequests.plain(request(contentType, RepeatableBody.stream(() -> {
            opened.incrementAndGet();
            return new ByteArrayInputStream(BYTES) {
                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
        })));

        assertThat(opened).hasValue(1);
        assertThat(closed).hasValue(1);
    }

    @Test
    void sourceWithoutStreamAndALengthBelowZeroAreRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> TestRequests.plain(request("", RepeatableBody.stream(() -> null))))
                .withMessageContaining("opened no stream");
        assertThatIllegalArgumentException().isThrownBy(() -> RepeatableBody.stream(InputStream::nullInputStream, -1));
    }

    @Test
    void bodyShowsItsLengthAndNothingElse() {
        assertThat(RepeatableBody.of(BYTES)).hasToString("Body[12 bytes]");
        assertThat(RepeatableBody.stream(InputStream::nullInputStream)).hasToString("Body[unknown length]");
    }

    private static RequestContent request(String contentType, RepeatableBody body) {
        return RequestContent.http("POST", "/payments", "", contentType, body);
    }
}
