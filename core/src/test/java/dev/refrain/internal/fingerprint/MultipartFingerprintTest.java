package dev.refrain.internal.fingerprint;

import static dev.refrain.internal.fingerprint.TestRequests.kind;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.RepeatableBody;
import dev.refrain.api.RequestContent;
import dev.refrain.store.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartFingerprintTest {

    private static final String ORDER = """
            --B\r
            Content-Disposition: form-data; name="amount"\r
            \r
            5\r
            --B\r
            Content-Disposition: form-data; name="receipt"; filename="r.bin"\r
            Content-Type: application/octet-stream\r
            \r
            line 1\r
            line 2\n\r
            \r
            --B--\r
            """;

    @Test
    void boundaryDoesNotMatter() {
        for (String boundary :
                new String[] {"B", "x", "----WebKitFormBoundary7MA4YWxkTrZu0gW", "0'()+_,-./:=?", "a b"}) {
            RequestContent retry = sent(boundary, ORDER.replace("--B", "--" + boundary));
            assertThat(kind(retry)).as(boundary).isEqualTo(DigestedBodyKind.MULTIPART);
            assertThat(TestRequests.plain(retry)).as(boundary).isEqualTo(order(ORDER));
        }
    }

    @Test
    void contentOfThePartsMatters() {
        assertThat(order(ORDER))
                .isNotEqualTo(order(ORDER.replace("5\r", "6\r")))
                .isNotEqualTo(order(ORDER.replace("5\r", "5 \r")))
                .isNotEqualTo(order(ORDER.replace("\"amount\"", "\"Amount\"")))
                .isNotEqualTo(order(ORDER.replace("r.bin", "s.bin")))
                .isNotEqualTo(order(ORDER.replace("; filename=\"r.bin\"", "")))
                .isNotEqualTo(order(ORDER.replace("octet-stream", "pdf")))
                .isNotEqualTo(order(ORDER.replace("Content-Type: application/octet-stream\r\n", "")))
                .isNotEqualTo(order(ORDER.replace("octet-stream", "octet-stream\r\nContent-Transfer-Encoding: base64")))
                .isNotEqualTo(order(ORDER.replace("line 2\n", "line 2")));
    }

    @Test
    void orderOfPartsMatters() {
        assertThat(order(part("a", "1") + part("b", "2") + "--B--"))
                .isNotEqualTo(order(part("b", "2") + part("a", "1") + "--B--"));
        assertThat(order(part("a", "1") + part("a", "2") + "--B--"))
                .isNotEqualTo(order(part("a", "2") + part("a", "1") + "--B--"));
    }

    @Test
    void spellingOfTheEnvelopeDoesNotMatter() {
        assertThat(order(ORDER))
                .isEqualTo(order("This is a multi-part message.\r\n" + ORDER))
                .isEqualTo(order("\r\n" + ORDER))
                .isEqualTo(order(ORDER + "an epilogue\r\n--C\r\n"))
                .isEqualTo(order(ORDER.stripTrailing()))
                .isEqualTo(order(ORDER.replace("--B\r", "--B \t\r").replace("--B--", "--B-- ")))
                .isEqualTo(order(ORDER.replace("Content-Disposition: ", "content-disposition:\t")))
                .isEqualTo(order(ORDER.replace("name=\"amount\"", "name=amount")))
                .isEqualTo(order(ORDER.replace("name=\"amount\"\r\n", "name=\"amount\"\r\nContent-Length: 1\r\n")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x--B",
                "x--B--",
                "--b",
                "-B",
                "\r\n",
                "\r\n\r\n",
                "\r",
                "\n",
                "\r\r\n",
                "\r\n-",
                "\r\n--",
                "\r\n--C",
                "\r\n- -B",
                "\0",
                ""
            })
    void contentThatOnlyResemblesABoundaryIsContent(String content) {
        RequestContent request = sent("B", part("B", "a", content) + part("B", "b", "2") + "--B--");

        assertThat(kind(request)).isEqualTo(DigestedBodyKind.MULTIPART);
        assertThat(TestRequests.plain(request))
                .isEqualTo(TestRequests.plain(sent("Q", part("Q", "a", content) + part("Q", "b", "2") + "--Q--")))
                .isNotEqualTo(order(part("a", content + ".") + part("b", "2") + "--B--"));
    }

    @Test
    void partCannotHideInAnother() {
        assertThat(order(part("a", "1") + part("b", "2") + "--B--"))
                .isNotEqualTo(TestRequests.plain(sent("C", part("C", "a", "1\r\n" + part("b", "2")) + "--C--")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no part at all",
                "--B",
                "--B\r\n",
                "--B\r\n\r\n",
                "--B\r\n\r\nx",
                "--B\r\n\r\nx\r\n--B",
                "--B\r\n\r\nx\r\n--B-",
                "--B\r\n\r\nx--B--",
                "--B\r\n\r\n--B--",
                "--B\n\nx\n--B--",
                "--B\r\n\r\nx\n--B--\r\n--B--",
                "--B\r\n\r\nx\r\n--Bx\r\n\r\ny\r\n--B--",
                "--Bx\r\n\r\nx\r\n--B--",
                "--B\r\n\r\nx\r\n--B--x",
                "--B\r\n\r\nx\r\n--B--\n",
                "--B\r\n\r\nx\r\n--B--\r\n--B\r\n\r\ny\r\n--B--",
                "--B\r\n\r\n\n--B\r\n\r\nx\r\n--B--",
                "--B\r\nno colon\r\n\r\nx\r\n--B--",
                "--B\r\nA: 1\r\n folded\r\n\r\nx\r\n--B--",
                "--B\r\nA : 1\r\n\r\nx\r\n--B--",
                "--B\r\nA: 1\nB: 2\r\n\r\nx\r\n--B--",
                "--B\r\nA: 1\r\na: 2\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=a b\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition:\r\n\r\nx\r\n--B--"
            })
    void malformedMultipartBodyIsComparedByItsBytes(String body) {
        assertThat(kind(sent("B", body))).isEqualTo(DigestedBodyKind.MULTIPART_BYTES);
        byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 4;
            assertThat(TestRequests.plain(TestRequests.post("multipart/mixed; boundary=B", changed)))
                    .as("byte %d", i)
                    .isNotEqualTo(order(body));
        }
    }

    @Test
    void headersWithoutEndAreTakenByTheirBytes() {
        String tooMuch = "a".repeat(MultipartBodyDigest.MAX_HEADER_BYTES);
        assertThat(kind(sent("B", "--B\r\nX: " + tooMuch + "\r\n\r\nx\r\n--B--")))
                .isEqualTo(DigestedBodyKind.MULTIPART_BYTES);
        String manyHeaders =
                IntStream.range(0, 2_000).mapToObj(i -> "X-" + i + ": y\r\n").collect(Collectors.joining());
        assertThat(kind(sent("B", "--B\r\n" + manyHeaders + "\r\nx\r\n--B--")))
                .isEqualTo(DigestedBodyKind.MULTIPART_BYTES);
        assertThat(kind(sent("B", "--B\r\nX: \"" + "\\\"".repeat(4000) + "\r\n\r\nx\r\n--B--")))
                .isEqualTo(DigestedBodyKind.MULTIPART);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"B \"",
                "multipart/form-data; boundary=\"B\u00e9\"",
                "multipart/form-data; boundary=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
            })
    void withoutAProperBoundaryItsBytesCount(String contentType) {
        assertThat(kind(TestRequests.post(contentType, ORDER))).isEqualTo(DigestedBodyKind.MULTIPART_BYTES);
    }

    @Test
    void quotedFilenameMayHoldQuotesAndSemicolons() {
        RequestContent request = sent("B", ORDER.replace("r.bin", "a\\\"; name=\\\"b; c\\\\"));
        assertThat(kind(request)).isEqualTo(DigestedBodyKind.MULTIPART);
    }

    @Test
    void formWithoutFieldsIsStillAForm() {
        assertThat(kind(sent("B", "--B--\r\n"))).isEqualTo(DigestedBodyKind.MULTIPART);
        assertThat(order("--B--\r\n")).isNotEqualTo(order(""));
    }

    @Test
    void sizeOfTheReadsOfAStreamDoesNotMatter() {
        long seed = 20260105;
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            int size = random.nextInt(100_000);
            var content = new StringBuilder();
            while (content.length() < size) {
                content.append(
                        switch (random.nextInt(4)) {
                            case 0 -> "\r\n-";
                            case 1 -> "\r\n--";
                            case 2 -> "\r";
                            default -> "x".repeat(random.nextInt(40_000));
                        });
            }
            String body = part("a", content.toString()) + part("b", "2") + "--B--\r\n";
            byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
            int most = 1 + random.nextInt(round % 2 == 0 ? 50 : 40_000);
            RequestContent streamed = RequestContent.http(
                    "POST",
                    "/payments",
                    "",
                    "multipart/form-data; boundary=B",
                    RepeatableBody.stream(() -> new OneByteStream(bytes, most, new SplittableRandom(seed))));
            assertThat(TestRequests.plain(streamed))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(order(body));
            assertThat(kind(streamed)).isEqualTo(DigestedBodyKind.MULTIPART);
        }
    }

    private static String part(String name, String content) {
        return part("B", name, content);
    }

    private static String part(String boundary, String name, String content) {
        return "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + content + "\r\n";
    }

    private static Fingerprint order(String body) {
        return TestRequests.plain(sent("B", body));
    }

    private static RequestContent sent(String boundary, String body) {
        return TestRequests.post("multipart/form-data; boundary=\"" + boundary + "\"", body);
    }

    /** Gives a few bytes at a time, as a network does. */
    private static final class OneByteStream extends InputStream {
        private final ByteArrayInputStream bytes;
        private final int most;
        private final SplittableRandom random;

        OneByteStream(byte[] bytes, int most, SplittableRandom random) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.most = most;
            this.random = random;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            return bytes.read(into, offset, Math.min(length, 1 + random.nextInt(most)));
        }
    }
}
