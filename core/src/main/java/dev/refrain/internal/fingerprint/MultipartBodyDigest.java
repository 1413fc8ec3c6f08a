package dev.refrain.internal.fingerprint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;

/**
 * Digests multipart (RFC 2046) by its parts, read as a stream: however large the parts are, only one window is in memory.
 *
 * <p>The content, one part after the other: {@code p}, the {@linkplain MultipartPartHeaders headers}, and the length (8 bytes)
 * and SHA-256 of the part's content.
 *
 * <p>Rejects everything in which two parsers might see different parts: a bare line feed before a boundary, text after one, a
 * line that only starts like one, folded headers. Such a body is compared by its bytes, which are digested along the way, because
 * the stream may not be readable again.
 */
final class MultipartBodyDigest {

    static final int MAX_HEADER_BYTES = 8 * 1024;

    private static final int WINDOW = 32 * 1024;
    private static final char PART = 'p';

    private final InputStream in;
    private final byte[] dashBoundary;
    private final LengthPrefixedDigest wholeBody;
    private final byte[] window = new byte[WINDOW];
    private int from;
    private int to;

    /**
     * Creates the digest.
     *
     * @param wholeBody is fed all bytes read from {@code in}
     */
    MultipartBodyDigest(InputStream in, String boundary, LengthPrefixedDigest wholeBody) {
        this.in = in;
        this.dashBoundary = ("--" + boundary).getBytes(StandardCharsets.US_ASCII);
        this.wholeBody = wholeBody;
    }

    void write(FieldSelection selection, LengthPrefixedDigest parts) throws IOException, NotCanonicalException {
        boolean nothingKept = true;
        skipPreamble();
        while (!atClosingDelimiter()) {
            MultipartPartHeaders headers = headers();
            LengthPrefixedDigest content = content();
            if (selection.keeps(headers.fieldName())) {
                nothingKept = false;
                parts.tag(PART);
                headers.writeTo(parts);
                parts.digestOf(content);
            }
        }
        skipEpilogue();
        if (nothingKept && !selection.mayKeepNothing()) {
            throw new NotCanonicalException("none of the selected fields");
        }
    }

    private void skipPreamble() throws IOException, NotCanonicalException {
        if (startsWithBoundary()) {
            from += dashBoundary.length;
        } else if (!copyToDelimiter(LengthPrefixedDigest.sha256())) {
            throw new NotCanonicalException("no part");
        }
    }

    /** Reads the rest of a boundary's line; returns true after the last part. */
    private boolean atClosingDelimiter() throws IOException, NotCanonicalException {
        if (available(2) && window[from] == '-' && window[from + 1] == '-') {
            from += 2;
            return true;
        }
        if (!line(MAX_HEADER_BYTES).chars().allMatch(c -> c == ' ' || c == '\t')) {
            throw new NotCanonicalException("a line that only starts like the boundary");
        }
        return false;
    }

    private MultipartPartHeaders headers() throws IOException, NotCanonicalException {
        var lines = new ArrayList<String>();
        int budget = MAX_HEADER_BYTES;
        for (String line = line(budget); !line.isEmpty(); line = line(budget)) {
            lines.add(line);
            budget -= line.length();
        }
        return MultipartPartHeaders.parse(lines);
    }

    private LengthPrefixedDigest content() throws IOException, NotCanonicalException {
        var content = LengthPrefixedDigest.sha256();
        // The line break before a boundary belongs to the boundary, so a blank line alone does not make an empty part.
        if (startsWithBoundary() || !copyToDelimiter(content)) {
            throw new NotCanonicalException("a part without an end");
        }
        return content;
    }

    private void skipEpilogue() throws IOException, NotCanonicalException {
        while (available(1) && (window[from] == ' ' || window[from] == '\t')) {
            from++;
        }
        boolean lineEnds = available(2) ? window[from] == '\r' && window[from + 1] == '\n' : from == to;
        if (!lineEnds || copyToDelimiter(LengthPrefixedDigest.sha256())) {
            throw new NotCanonicalException("something behind the last boundary");
        }
    }

    /** Reads up to and including the next line that starts with the boundary; returns false if there is none. */
    private boolean copyToDelimiter(LengthPrefixedDigest copy) throws IOException, NotCanonicalException {
        while (true) {
            int lastPlace = to - dashBoundary.length - 1;
            for (int i = from; i <= lastPlace; i++) {
                if (window[i] == '\n' && boundaryAt(i + 1)) {
                    if (i == from || window[i - 1] != '\r') {
                        throw new NotCanonicalException("a boundary behind a bare line feed");
                    }
                    copy.bytes(window, from, i - 1 - from);
                    from = i + 1 + dashBoundary.length;
                    return true;
                }
            }
            // Past the last place where a boundary may still begin; the byte there may be the carriage return before
            // one.
            int settled = Math.max(from, lastPlace);
            copy.bytes(window, from, settled - from);
            from = settled;
            if (!more()) {
                copy.bytes(window, from, to - from);
                from = to;
                return false;
            }
        }
    }

    private String line(int limit) throws IOException, NotCanonicalException {
        for (int length = 0; length <= limit; length++) {
            if (!available(length + 2)) {
                throw new NotCanonicalException("ends within a line");
            }
            if (window[from + length] == '\r' && window[from + length + 1] == '\n') {
                var line = new String(window, from, length, StandardCharsets.ISO_8859_1);
                from += length + 2;
                return line;
            }
        }
        throw new NotCanonicalException("headers of more than " + MAX_HEADER_BYTES + " bytes");
    }

    private boolean startsWithBoundary() throws IOException {
        return available(dashBoundary.length) && boundaryAt(from);
    }

    private boolean boundaryAt(int at) {
        return Arrays.equals(window, at, at + dashBoundary.length, dashBoundary, 0, dashBoundary.length);
    }

    private boolean available(int count) throws IOException {
        while (to - from < count) {
            if (!more()) {
                return false;
            }
        }
        return true;
    }

    /** Reads more into the window; returns false at the end of the body. */
    private boolean more() throws IOException {
        System.arraycopy(window, from, window, 0, to - from);
        to -= from;
        from = 0;
        int got = in.read(window, to, window.length - to);
        if (got < 0) {
            return false;
        }
        wholeBody.bytes(window, to, got);
        to += got;
        return true;
    }
}
