package dev.refrain.http.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Writes the body of an answer that a handler gave by {@code sendError} and that is kept. The container would write it only
 * after the filter, where it cannot be kept; so the first client would read another answer than the next.
 */
@FunctionalInterface
public interface ErrorResponseWriter {

    void write(HttpServletRequest request, HttpServletResponse response, int status, @Nullable String message)
            throws IOException, ServletException;

    /** An RFC 9457 problem with the status and the message. */
    static ErrorResponseWriter problem() {
        return (request, response, status, message) -> {
            var body = JsonNodeFactory.instance.objectNode();
            body.put("type", "about:blank");
            body.put("status", status);
            if (message != null && !message.isEmpty()) {
                body.put("detail", message);
            }
            response.setContentType("application/problem+json");
            response.getOutputStream()
                    .write(JsonMapper.shared().writeValueAsString(body).getBytes(StandardCharsets.UTF_8));
        };
    }
}
