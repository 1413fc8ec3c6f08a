package dev.refrain.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads requests and responses, with as little of HTTP as the benchmarks need. */
final class HttpLineReader {

    private HttpLineReader() {}

    /** @throws EOFException if the other side has closed the connection */
    static String next(InputStream in) throws IOException {
        var line = new StringBuilder(64);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("The other side closed the connection.");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** Reads the headers and the body that follow. */
    static void skipMessage(InputStream in) throws IOException {
        int length = -1;
        for (String header = next(in); !header.isEmpty(); header = next(in)) {
            if (header.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        if (length >= 0) {
            in.skipNBytes(length);
            return;
        }
        for (int size = Integer.parseInt(next(in), 16); size > 0; size = Integer.parseInt(next(in), 16)) {
            in.skipNBytes(size + 2L);
        }
        next(in);
    }
}
