package dev.refrain.http.cases;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request as it goes over the wire, line by line. Text is Latin-1, so that odd bytes can be sent. */
public record RawRequest(String method, String target, List<String> lines, String body, boolean chunked) {

    public static RawRequest post(String target) {
        return new RawRequest("POST", target, List.of("X-User: alice"), "", false);
    }

    public RawRequest by(String otherMethod) {
        return new RawRequest(otherMethod, target, lines, body, chunked);
    }

    public RawRequest to(String otherTarget) {
        return new RawRequest(method, otherTarget, lines, body, chunked);
    }

    public RawRequest line(String line) {
        var all = new ArrayList<>(lines);
        all.add(line);
        return new RawRequest(method, target, all, body, chunked);
    }

    public RawRequest without(String header) {
        return new RawRequest(
                method,
                target,
                lines.stream()
                        .filter(line -> !line.regionMatches(true, 0, header + ":", 0, header.length() + 1))
                        .toList(),
                body,
                chunked);
    }

    public RawRequest as(String user) {
        return without("X-User").line("X-User: " + user);
    }

    public RawRequest key(String key) {
        return line("Idempotency-Key: " + key);
    }

    public RawRequest json(String text) {
        return new RawRequest(method, target, lines, text, chunked)
                .without("Content-Type")
                .line("Content-Type: application/json");
    }

    public RawRequest body(String type, String text) {
        return new RawRequest(method, target, lines, text, chunked).line("Content-Type: " + type);
    }

    public RawRequest inChunks() {
        return new RawRequest(method, target, lines, body, true);
    }

    byte[] head() {
        var head = new StringBuilder(method)
                .append(' ')
                .append(target)
                .append(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        lines.forEach(line -> head.append(line).append("\r\n"));
        head.append(chunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: " + body.length() + "\r\n");
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    byte[] content() {
        if (!chunked) {
            return body.getBytes(StandardCharsets.ISO_8859_1);
        }
        var chunks = new StringBuilder();
        for (int at = 0; at < body.length(); at += 7) {
            String chunk = body.substring(at, Math.min(at + 7, body.length()));
            chunks.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return chunks.append("0\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
