package dev.refrain.http.servlet;

import dev.refrain.outcome.Payload;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The whole body of a request, read once, within a limit.
 *
 * @param handed whether the container gives it to the handler by itself
 */
record RequestBody(Payload bytes, HttpServletRequest request, boolean handed) {

    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";,]+)\"?", Pattern.CASE_INSENSITIVE);

    /** The request as a handler expects it, its body there to be read. */
    HttpServletRequest unread() {
        return handed ? request : new BufferedRequest(request, bytes.bytes());
    }

    /** Empty if it is larger than the limit. */
    static Optional<RequestBody> read(HttpServletRequest request, int limit) throws IOException {
        if (request.getContentLengthLong() > limit) {
            return Optional.empty();
        }
        var parts = isMultipart(request) ? parts(request, limit) : Optional.<RequestBody>empty();
        return parts.isPresent() ? parts : whole(request, limit);
    }

    private static Optional<RequestBody> whole(HttpServletRequest request, int limit) throws IOException {
        byte[] bytes = request.getInputStream().readNBytes(limit + 1);
        return bytes.length > limit
                ? Optional.empty()
                : Optional.of(new RequestBody(Payload.of(bytes), request, false));
    }

    /**
     * Where the container is set up to take parts, it takes them, and gives the same ones to the handler. For the fingerprint
     * they are put together again. Empty where it is not: then the body is only bytes.
     */
    private static Optional<RequestBody> parts(HttpServletRequest request, int limit) throws IOException {
        var boundary =
                BOUNDARY.matcher(Optional.ofNullable(request.getContentType()).orElse(""));
        if (!boundary.find()) {
            return Optional.empty();
        }
        try {
            var together = new ByteArrayOutputStream();
            for (Part part : request.getParts()) {
                if (together.size() + part.getSize() > limit) {
                    return Optional.empty();
                }
                write(together, part, boundary.group(1));
            }
            together.writeBytes(("--" + boundary.group(1) + "--\r\n").getBytes(StandardCharsets.ISO_8859_1));
            return Optional.of(new RequestBody(Payload.of(together.toByteArray()), request, true));
        } catch (IllegalStateException | ServletException notSetUp) {
            return Optional.empty();
        }
    }

    private static void write(ByteArrayOutputStream together, Part part, String boundary) throws IOException {
        var head = new StringBuilder("--").append(boundary).append("\r\n");
        for (String name : part.getHeaderNames()) {
            for (String value : part.getHeaders(name)) {
                head.append(name).append(": ").append(value).append("\r\n");
            }
        }
        together.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        try (InputStream content = part.getInputStream()) {
            content.transferTo(together);
        }
        together.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
    }

    private static boolean isMultipart(HttpServletRequest request) {
        return Optional.ofNullable(request.getContentType())
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("multipart/form-data"))
                .isPresent();
    }
}
