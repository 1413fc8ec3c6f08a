package dev.refrain.http.servlet;

import dev.refrain.api.Payload;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Reads a request's body for its fingerprint, and leaves the handler a request that it can read. */
final class ServletBodyReader {

    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";,]+)\"?", Pattern.CASE_INSENSITIVE);

    private final HttpServletRequest request;
    private final int limit;

    private ServletBodyReader(HttpServletRequest request, int limit) {
        this.request = request;
        this.limit = limit;
    }

    static ServletRequestBody read(HttpServletRequest request, int limit) throws IOException {
        return new ServletBodyReader(request, limit).read();
    }

    private ServletRequestBody read() throws IOException {
        if (request.getContentLengthLong() > limit) {
            return new ServletRequestBody.TooLarge(request);
        }
        var boundary =
                BOUNDARY.matcher(Optional.ofNullable(request.getContentType()).orElse(""));
        if (is(request, "multipart/form-data") && boundary.find()) {
            Collection<Part> parts;
            try {
                parts = request.getParts();
            } catch (IllegalStateException | ServletException refused) {
                // With a cause it took them, and they are too many or too large. Otherwise it takes none, and they are
                // only bytes.
                return refused.getCause() == null ? whole() : new ServletRequestBody.TooLarge(request);
            }
            return together(parts, boundary.group(1));
        }
        return whole();
    }

    private ServletRequestBody whole() throws IOException {
        var in = request.getInputStream();
        byte[] bytes = in.readNBytes(limit);
        int next = in.read();
        if (next >= 0) {
            return new ServletRequestBody.TooLarge(new BufferedServletRequest(request, append(bytes, next), in));
        }
        boolean drained = bytes.length == 0 && request.getContentLengthLong() != 0;
        if (drained && is(request, "application/x-www-form-urlencoded")) {
            return form();
        }
        if (drained && request.getContentLengthLong() > 0) {
            throw new IllegalStateException(
                    "Something in front of RefrainFilter has read the body of " + request.getMethod() + " "
                            + request.getRequestURI()
                            + ", so this request cannot be told from others: put the filter in front of it, or let it hand the body on.");
        }
        return new ServletRequestBody.Whole(Payload.of(bytes), new BufferedServletRequest(request, bytes));
    }

    private static byte[] append(byte[] bytes, int next) {
        byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
        more[bytes.length] = (byte) next;
        return more;
    }

    /** Someone has asked for a parameter before, and the container, or a filter, has taken the body apart: it has the fields. */
    private ServletRequestBody form() {
        var fields = new StringJoiner("&");
        request.getParameterMap().forEach((name, values) -> {
            for (String value : values) {
                fields.add(URLEncoder.encode(name, StandardCharsets.UTF_8) + "="
                        + URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        });
        return new ServletRequestBody.Whole(Payload.of(fields.toString().getBytes(StandardCharsets.US_ASCII)), request);
    }

    /**
     * Where the container is set up to take parts, it takes them, and gives the same ones to the handler. For the fingerprint
     * they are put together again.
     */
    private ServletRequestBody together(Collection<Part> parts, String boundary) throws IOException {
        var together = new ByteArrayOutputStream();
        for (Part part : parts) {
            if (together.size() + part.getSize() > limit) {
                return new ServletRequestBody.TooLarge(request);
            }
            write(together, part, boundary);
        }
        together.writeBytes(("--" + boundary + "--\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return new ServletRequestBody.Whole(Payload.of(together.toByteArray()), request);
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

    private static boolean is(HttpServletRequest request, String mediaType) {
        return Optional.ofNullable(request.getContentType())
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith(mediaType))
                .isPresent();
    }
}
