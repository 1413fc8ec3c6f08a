package dev.refrain.http.cases;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Request as it is sent, line by line. Text is Latin-1, so that any byte can be sent. */
public record RawHttpRequest(String method, String target, List<String> lines, String body, boolean chunked) {

    public static RawHttpRequest post(String target) {
        return new RawHttpRequest("POST", target, List.of("X-User: alice"), "", false);
    }

    public RawHttpRequest by(String otherMethod) {
        return new RawHttpRequest(otherMethod, target, lines, body, chunked);
    }

    public RawHttpRequest to(String otherTarget) {
        return new RawHttpRequest(method, otherTarget, lines, body, chunked);
    }

    public RawHttpRequest line(String line) {
        var all = new ArrayList<>(lines);
        all.add(line);
        return new RawHttpRequest(method, target, all, body, chunked);
    }

    public RawHttpRequest without(String header) {
        return new RawHttpRequest(
                method,
                target,
                lines.stream()
                        .filter(line -> !line.regionMatches(true, 0, header + ":", 0, header.length() + 1))
                        .toList(),
                body,
                chunked);
    }

    public RawHttpRequest as(String user) {
        return without("X-User").line("X-User: " + user);
    }

    public RawHttpRequest key(String key) {
        return line("Idempotency-Key: " + key);
    }

    public RawHttpRequest json(String text) {
        return new RawHttpRequest(method, target, lines, text, chunked)
                .without("Content-Type")
                .line("Content-Type: application/json");
    }

    public RawHttpRequest body(String type, String text) {
        return new RawHttpRequest(method, target, lines, text, chunked).line("Content-Type: " + type);
    }

    public RawHttpRequest inChunks() {
        return new RawHttpRequest(method, target, lines, body, true);
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
