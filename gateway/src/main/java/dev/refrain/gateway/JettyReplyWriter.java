package dev.refrain.gateway;

import dev.refrain.api.AnswerHeader;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.internal.body.ResponseBodyRules;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes responses to Jetty. */
final class JettyReplyWriter {

    private JettyReplyWriter() {}

    /** Writes a whole response with its content length. */
    static void send(Response response, Callback callback, EdgeResponse reply) {
        response.reset();
        head(response, reply.status(), reply.headers());
        byte[] body = reply.body().bytes();
        if (ResponseBodyRules.hasBody(reply.status())) {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        } else {
            response.getHeaders().remove(HttpHeader.CONTENT_LENGTH);
        }
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    static void head(Response response, int status, List<AnswerHeader> headers) {
        response.setStatus(status);
        add(response.getHeaders(), headers);
    }

    /** Adds the headers; they replace those that the server set by itself, such as its date. */
    private static void add(HttpFields.Mutable fields, List<AnswerHeader> headers) {
        var seen = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
        for (var header : headers) {
            if (seen.add(header.name())) {
                fields.put(header.name(), header.value());
            } else {
                fields.add(header.name(), header.value());
            }
        }
    }
}
