package dev.refrain.http.servlet;

import dev.refrain.internal.json.JsonText;
import dev.refrain.internal.json.JsonValue;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of a {@code sendError} response that is stored. The container would write it only after the filter, too late to
 * store it, and a replay would differ from the first response.
 */
@FunctionalInterface
public interface ErrorResponseWriter {

    void write(HttpServletRequest request, HttpServletResponse response, int status, @Nullable String message)
            throws IOException, ServletException;

    /** Returns a writer of RFC 9457 problems with the status and the message. */
    static ErrorResponseWriter problem() {
        return (request, response, status, message) -> {
            var body = new LinkedHashMap<String, Object>();
            body.put("type", "about:blank");
            body.put("status", status);
            if (message != null && !message.isEmpty()) {
                body.put("detail", message);
            }
            response.setContentType("application/problem+json");
            response.getOutputStream()
                    .write(JsonText.compact(JsonValue.of(body)).getBytes(StandardCharsets.UTF_8));
        };
    }
}
