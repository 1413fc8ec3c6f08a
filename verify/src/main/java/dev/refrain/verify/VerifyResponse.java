package dev.refrain.verify;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What came back, to the byte. */
final class VerifyResponse {

    /** Headers by which APIs say that an answer is a replay. */
    private static final List<String> MARKERS = List.of("Idempotent-Replayed", "Idempotency-Replayed");

    /** What is left of an answer that nobody waited for. */
    static final VerifyResponse NONE = new VerifyResponse(0, Map.of(), new byte[0], Duration.ZERO);

    private final int status;
    private final Map<String, List<String>> headers;
    private final byte[] body;
    private final Duration took;

    VerifyResponse(int status, Map<String, List<String>> headers, byte[] body, Duration took) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.took = took;
    }

    int status() {
        return status;
    }

    Duration took() {
        return took;
    }

    Optional<String> header(String name) {
        return headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .flatMap(header -> header.getValue().stream())
                .findFirst();
    }

    String type() {
        return header("Content-Type").orElse("");
    }

    boolean isMarkedReplay() {
        return MARKERS.stream()
                .anyMatch(marker ->
                        header(marker).filter("true"::equalsIgnoreCase).isPresent());
    }

    boolean isEmpty() {
        return body.length == 0;
    }

    boolean hasBytesOf(VerifyResponse other) {
        return Arrays.equals(body, other.body);
    }

    /** One character for each byte, so that two texts are equal only if their bytes are. */
    String bytes() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Where two bodies part, for people. */
    String differenceTo(VerifyResponse other) {
        int at = Arrays.mismatch(body, other.body);
        return body.length + " and " + other.body.length + " bytes, different from byte " + at + " on";
    }
}
