package dev.refrain.http.servlet;

import dev.refrain.api.Payload;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.internal.body.BodyBuffer;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Reads a request's body for its fingerprint and leaves it readable for the handler. */
final class ServletBodyReader {

    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";,]+)\"?", Pattern.CASE_INSENSITIVE);

    private final HttpServletRequest request;
    private final int limit;
    private final BufferReservation memory;

    private ServletBodyReader(HttpServletRequest request, int limit, BufferReservation memory) {
        this.request = request;
        this.limit = limit;
        this.memory = memory;
    }

    static ServletRequestBody read(HttpServletRequest request, int limit, BufferReservation memory) throws IOException {
        return new ServletBodyReader(request, limit, memory).read();
    }

    private ServletRequestBody read() throws IOException {
        if (request.getContentLengthLong() > limit) {
            return new ServletRequestBody.TooLarge(request);
        }
        var boundary =
                BOUNDARY.matcher(Optional.ofNullable(request.getContentType()).orElse(""));
        if (is(request, "multipart/form-data") && boundary.find()) {
            // The container holds the parts in memory or in files; in any case they are not read without room.
            if (!memory.tryReserve(Math.max(0, request.getContentLengthLong()))) {
                return new ServletRequestBody.NoMemory(request);
            }
            Collection<Part> parts;
            try {
                parts = request.getParts();
            } catch (IllegalStateException | ServletException refused) {
                // An exception with a cause: the container accepts parts, and they are too many or too large. Without
                // one it
                // accepts no parts, and the body is plain bytes.
                if (refused.getCause() == null) {
                    memory.giveBack(Math.max(0, request.getContentLengthLong()));
                    return whole();
                }
                return new ServletRequestBody.TooLarge(request);
            }
            return together(parts, boundary.group(1));
        }
        return whole();
    }

    private ServletRequestBody whole() throws IOException {
        var body = BodyBuffer.ofRequest(memory, limit);
        if (body.expect(request.getContentLengthLong()) == BodyBuffer.BufferResult.NO_MEMORY) {
            return new ServletRequestBody.NoMemory(request);
        }
        var in = request.getInputStream();
        var read = body.readFrom(in);
        byte[] bytes = body.payload().bytes();
        if (read != BodyBuffer.BufferResult.BUFFERED) {
            var unread = new BufferedServletRequest(request, bytes, in);
            return read == BodyBuffer.BufferResult.TOO_LARGE
                    ? new ServletRequestBody.TooLarge(unread)
                    : new ServletRequestBody.NoMemory(unread);
        }
        boolean drained = bytes.length == 0 && request.getContentLengthLong() != 0;
        if (drained && is(request, "application/x-www-form-urlencoded")) {
            return form();
        }
        if (drained && request.getContentLengthLong() > 0) {
            throw new IllegalStateException(
                    "Cannot fingerprint " + request.getMethod() + " "
                            + request.getRequestURI()
                            + ": a filter before RefrainFilter has already read its body. Register RefrainFilter before that filter, or let that filter pass the body on.");
        }
        return new ServletRequestBody.Whole(Payload.of(bytes), new BufferedServletRequest(request, bytes));
    }

    /** Rebuilds the body from form fields that the container or a filter has already parsed. */
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

    /** Rebuilds a multipart body from the parts that the container has parsed; the handler gets the same parts. */
    private ServletRequestBody together(Collection<Part> parts, String boundary) throws IOException {
        long size = parts.stream().mapToLong(Part::getSize).sum();
        if (size > limit) {
            return new ServletRequestBody.TooLarge(request);
        }
        if (!memory.tryReserve(size)) {
            return new ServletRequestBody.NoMemory(request);
        }
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
