package dev.refrain.internal.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import dev.refrain.store.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body larger than memory is digested as it passes by. */
class LargeBodyTest {

    private static final long LENGTH = 64L << 20;
    private static final long ALLOWED = 16L << 20;

    @ParameterizedTest
    @ValueSource(strings = {"", TestRequests.JSON, TestRequests.FORM, "multipart/form-data; boundary=B"})
    void bodyOf64MegabytesIsNeverInMemoryWhole(String contentType) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Fingerprint fingerprint = TestRequests.plain(request(contentType, "B", (byte) 'x'));
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated).isLessThan(ALLOWED);
        assertThat(TestRequests.plain(request(contentType, "B", (byte) 'y')))
                .as("the last byte counts")
                .isNotEqualTo(fingerprint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "----another boundary----x"})
    void largeUploadRetriedWithAnotherBoundaryIsTheSame(String boundary) {
        assertThat(TestRequests.plain(
                        request("multipart/form-data; boundary=\"" + boundary + "\"", boundary, (byte) 'x')))
                .isEqualTo(TestRequests.plain(request("multipart/form-data; boundary=B", "B", (byte) 'x')));
    }

    private static RequestContent request(String contentType, String boundary, byte last) {
        return RequestContent.http(
                "POST", "/uploads", "", contentType, RepeatableBody.stream(() -> upload(boundary, last)));
    }

    private static InputStream upload(String boundary, byte last) {
        return new SequenceInputStream(Collections.enumeration(List.of(
                ascii("--" + boundary + "\r\nContent-Disposition: form-data; name=f; filename=f.bin\r\n\r\n"),
                new RepeatedByteStream(LENGTH),
                new ByteArrayInputStream(new byte[] {last}),
                ascii("\r\n--" + boundary + "--\r\n"))));
    }

    private static InputStream ascii(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The letter a, over and over; nothing is held. */
    private static final class RepeatedByteStream extends InputStream {
        private long left;

        RepeatedByteStream(long length) {
            left = length;
        }

        @Override
        public int read() {
            return left-- > 0 ? 'a' : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(length, left);
            Arrays.fill(into, offset, offset + count, (byte) 'a');
            left -= count;
            return count;
        }
    }
}
