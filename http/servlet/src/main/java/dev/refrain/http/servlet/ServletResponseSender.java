package dev.refrain.http.servlet;

import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.internal.body.ResponseBodyRules;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sends complete responses. */
final class ServletResponseSender {

    private ServletResponseSender() {}

    static void send(HttpServletResponse response, EdgeResponse reply) throws IOException {
        response.setStatus(reply.status());
        var seen = new HashSet<String>();
        for (var header : reply.headers()) {
            if (header.name().equalsIgnoreCase("Content-Type")) {
                response.setContentType(header.value());
            } else if (seen.add(header.name().toLowerCase(Locale.ROOT))) {
                response.setHeader(header.name(), header.value());
            } else {
                response.addHeader(header.name(), header.value());
            }
        }
        byte[] bytes = reply.body().bytes();
        if (ResponseBodyRules.hasBody(reply.status())) {
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
        response.flushBuffer();
    }

    /** Sends a response in place of what was set, with the headers that were there before. */
    static void sendInstead(HttpServletResponse response, Map<String, List<String>> before, EdgeResponse reply)
            throws IOException {
        reset(response, before);
        send(response, reply);
    }

    /** Resets a response to the headers that were there before. */
    static void reset(HttpServletResponse response, Map<String, List<String>> before) {
        response.reset();
        before.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
    }
}
