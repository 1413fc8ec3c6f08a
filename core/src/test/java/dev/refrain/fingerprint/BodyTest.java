package dev.refrain.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyTest {

    private static final byte[] BYTES = "{\"amount\":5}".getBytes(StandardCharsets.UTF_8);

    @Test
    void aBodyThatOpensAnewCanBeReadAgain() {
        Request request = request("", Body.stream(() -> new ByteArrayInputStream(BYTES)));

        assertThat(Sent.plain(request))
                .isEqualTo(Sent.plain(request))
                .isEqualTo(Sent.plain(request("", Body.of(BYTES))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", Sent.JSON, Sent.FORM, "multipart/form-data; boundary=b"})
    void oneStreamServedTwiceFailsTheSecondTime(String contentType) {
        var onlyOne = new ByteArrayInputStream(BYTES);
        // Wrapped anew each time, so that it cannot be known by its identity.
        Request request = request(contentType, Body.stream(() -> new FilterInputStream(onlyOne) {}));
        Sent.plain(request);

        assertThatThrownBy(() -> Sent.plain(request)).isInstanceOf(DrainedBodyException.class);
    }

    @Test
    void aStreamDrainedBeforeTheFirstReadingIsSeenByItsAnnouncedLength() {
        var drained = new ByteArrayInputStream(BYTES);
        drained.readAllBytes();

        assertThatThrownBy(() -> Sent.plain(request(Sent.JSON, Body.stream(() -> drained, BYTES.length))))
                .isInstanceOf(DrainedBodyException.class)
                .hasMessageContaining("found 0 bytes where 12 were announced");
    }

    @Test
    void aBodyLongerThanAnnouncedFails() {
        assertThatThrownBy(() -> Sent.plain(request("", Body.stream(() -> new ByteArrayInputStream(BYTES), 3))))
                .isInstanceOf(DrainedBodyException.class);
    }

    @Test
    void readingByteByByteIsMeasuredToo() throws Exception {
        try (InputStream in = Body.stream(() -> new ByteArrayInputStream(new byte[] {7, 0}), 3)
                .open()) {
            assertThat(in.read()).isEqualTo(7);
            assertThat(in.read()).isZero();
            assertThatThrownBy(in::read)
                    .isInstanceOfSatisfying(
                            DrainedBodyException.class,
                            e -> assertThat(e.found()).isEqualTo(2));
        }
    }

    @Test
    void anEmptyBodyMayBeReadAgain() {
        Request request = request("", Body.stream(InputStream::nullInputStream));
        assertThat(Sent.plain(request)).isEqualTo(Sent.plain(request)).isEqualTo(Sent.plain(request("", Body.empty())));
        assertThat(Sent.plain(request("", Body.stream(InputStream::nullInputStream, 0))))
                .isEqualTo(Sent.plain(request));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", Sent.JSON, Sent.FORM, "multipart/form-data; boundary=b"})
    void aStreamIsOpenedOnceForEachFingerprintAndClosed(String contentType) {
        var opened = new AtomicInteger();
        var closed = new AtomicInteger();
        Sent.plain(request(contentType, Body.stream(() -> {
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
    void aSourceWithoutStreamAndALengthBelowZeroAreRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> Sent.plain(request("", Body.stream(() -> null))))
                .withMessageContaining("opened no stream");
        assertThatIllegalArgumentException().isThrownBy(() -> Body.stream(InputStream::nullInputStream, -1));
    }

    @Test
    void aBodyShowsItsLengthAndNothingElse() {
        assertThat(Body.of(BYTES)).hasToString("Body[12 bytes]");
        assertThat(Body.stream(InputStream::nullInputStream)).hasToString("Body[unknown length]");
    }

    private static Request request(String contentType, Body body) {
        return Request.http("POST", "/payments", "", contentType, body);
    }
}
