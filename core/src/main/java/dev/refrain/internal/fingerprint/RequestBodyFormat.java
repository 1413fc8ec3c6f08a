package dev.refrain.internal.fingerprint;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Way of parsing a body, chosen by its content type alone. */
sealed interface RequestBodyFormat {

    record Json() implements RequestBodyFormat {}

    record Form() implements RequestBodyFormat {}

    record Multipart(String boundary) implements RequestBodyFormat {}

    /** Not parsed; compared by its bytes. */
    record Opaque(DigestedBodyKind kind) implements RequestBodyFormat {}

    /** RFC 2046: up to 70 characters, the last one not a space. */
    Pattern BOUNDARY = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");

    static RequestBodyFormat of(String contentType) {
        if (contentType.isEmpty()) {
            return new Opaque(DigestedBodyKind.BYTES);
        }
        HeaderValue media;
        try {
            media = HeaderValue.parse(contentType);
        } catch (NotCanonicalException malformed) {
            return new Opaque(DigestedBodyKind.BYTES);
        }
        String type = media.value();
        if (type.equals("application/json") || type.equals("text/json") || type.endsWith("+json")) {
            return isUtf8(media.parameters().get("charset")) ? new Json() : new Opaque(DigestedBodyKind.JSON_BYTES);
        }
        if (type.equals("application/x-www-form-urlencoded")) {
            return new Form();
        }
        if (type.startsWith("multipart/")) {
            String boundary = media.parameters().get("boundary");
            return boundary != null && BOUNDARY.matcher(boundary).matches()
                    ? new Multipart(boundary)
                    : new Opaque(DigestedBodyKind.MULTIPART_BYTES);
        }
        return new Opaque(DigestedBodyKind.BYTES);
    }

    private static boolean isUtf8(@Nullable String charset) {
        return charset == null || charset.equalsIgnoreCase("utf-8") || charset.equalsIgnoreCase("utf8");
    }
}
