package dev.refrain.gateway;

import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Path and query of a request. The server gives them as text, decoded as UTF-8 (HTTP/1.1) or as one character per byte (HTTP/2); the
 * upstream gets the bytes that the client sent.
 */
final class RequestTarget {

    private static final char UNDECODABLE = '\uFFFD';
    private static final int FIRST_NOT_ASCII = 0x80;
    private static final int LAST_BYTE = 0xFF;

    private RequestTarget() {}

    /** Returns whether the target is UTF-8, so that its text stands for these bytes and no others. */
    static boolean isUtf8(Request request) {
        return text(request, request.getHttpURI().getPathQuery()).indexOf(UNDECODABLE) < 0;
    }

    static String path(Request request) {
        return text(request, request.getHttpURI().getPath());
    }

    static String query(Request request) {
        return text(request, request.getHttpURI().getQuery());
    }

    /** Returns path and query with one character per byte, as the client library writes them. */
    static String bytes(Request request) {
        return new String(
                text(request, request.getHttpURI().getPathQuery()).getBytes(StandardCharsets.UTF_8),
                StandardCharsets.ISO_8859_1);
    }

    /** Returns the text, in which {@link #UNDECODABLE} stands for what is not UTF-8. */
    private static String text(Request request, @Nullable String part) {
        if (part == null) {
            return "";
        }
        boolean bytes = request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
        int widest = part.chars().max().orElse(0);
        return bytes && widest >= FIRST_NOT_ASCII && widest <= LAST_BYTE
                ? new String(part.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                : part;
    }
}
