package dev.refrain.verify;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Response with its exact bytes. */
final class VerifyResponse {

    /** Headers by which APIs mark replays. */
    private static final List<String> MARKERS = List.of("Idempotent-Replayed", "Idempotency-Replayed");

    /** Placeholder for a response that was not awaited. */
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

    /** Decodes one character per byte, so that two texts are equal only if their bytes are. */
    String bytes() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Describes the first difference of two bodies. */
    String differenceTo(VerifyResponse other) {
        int at = Arrays.mismatch(body, other.body);
        return body.length + " and " + other.body.length + " bytes, different from byte " + at + " on";
    }
}
