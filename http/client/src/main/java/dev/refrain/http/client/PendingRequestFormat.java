package dev.refrain.http.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** File format of a pending request: one JSON object, which cannot be parsed unless it was written completely. */
final class PendingRequestFormat {

    private static final int VERSION = 1;
    private static final JsonMapper JSON = JsonMapper.shared();

    private PendingRequestFormat() {}

    static byte[] write(PendingRequest intent) {
        var request = intent.request();
        var node = JsonNodeFactory.instance.objectNode();
        node.put("version", VERSION);
        node.put("key", intent.key());
        node.put("firstSent", intent.firstSent().toString());
        node.put("retryUntil", intent.retryUntil().toString());
        node.put("method", request.method());
        node.put("uri", request.uri().toString());
        var headers = node.putArray("headers");
        request.headers()
                .forEach(
                        header -> headers.addObject().put("name", header.name()).put("value", header.value()));
        switch (request.body()) {
            case ResendableBytesBody bytes ->
                node.put("bytes", Base64.getEncoder().encodeToString(bytes.bytes()));
            case ResendableFileBody file -> node.put("file", file.file().toString());
        }
        return JSON.writeValueAsBytes(node);
    }

    /**
     * Parses a file; empty if it was not written completely, in which case the request was never sent.
     *
     * @throws IOException if it is complete but in an unknown format
     */
    static Optional<PendingRequest> read(byte[] content) throws IOException {
        JsonNode node;
        try {
            node = JSON.readTree(content);
        } catch (JacksonException unfinished) {
            return Optional.empty();
        }
        if (!node.isObject()) {
            return Optional.empty();
        }
        if (node.path("version").asInt(0) != VERSION) {
            throw new IOException("Cannot read a pending request: its format is " + node.path("version")
                    + ", written by a newer version of Refrain. Upgrade this application.");
        }
        try {
            return Optional.of(intent(node));
        } catch (JacksonException | IllegalArgumentException | DateTimeException broken) {
            throw new IOException("Cannot read a pending request: the file is corrupt.", broken);
        }
    }

    private static PendingRequest intent(JsonNode node) {
        var request = new ResendableRequest(
                text(node, "method"), URI.create(text(node, "uri")), headers(node.path("headers")), body(node));
        return new PendingRequest(
                text(node, "key"),
                request,
                Instant.parse(text(node, "firstSent")),
                Instant.parse(text(node, "retryUntil")));
    }

    private static List<HeaderField> headers(JsonNode array) {
        var headers = new ArrayList<HeaderField>();
        array.forEach(header -> headers.add(new HeaderField(text(header, "name"), text(header, "value"))));
        return headers;
    }

    private static ResendableBody body(JsonNode node) {
        return node.has("file")
                ? new ResendableFileBody(Path.of(text(node, "file")))
                : ResendableBody.of(Base64.getDecoder().decode(text(node, "bytes")));
    }

    private static String text(JsonNode node, String name) {
        return node.required(name).stringValue();
    }
}
