package dev.refrain.console;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reply of the console. Every reply forbids caching, framing and content sniffing, and allows only the console's own
 * scripts. Immutable.
 */
public record ConsoleReply(int status, List<AnswerHeader> headers, Payload body) {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    public ConsoleReply {
        headers = List.copyOf(headers);
    }

    static ConsoleReply page(int status, SafeHtml page) {
        return of(status, "text/html; charset=utf-8", ("<!DOCTYPE html>\n" + page).getBytes(StandardCharsets.UTF_8));
    }

    static ConsoleReply fragment(SafeHtml part) {
        return of(200, "text/html; charset=utf-8", part.toString().getBytes(StandardCharsets.UTF_8));
    }

    static ConsoleReply of(int status, String type, byte[] body) {
        return new ConsoleReply(
                status,
                List.of(
                        new AnswerHeader("Content-Type", type),
                        new AnswerHeader("Cache-Control", "no-store"),
                        new AnswerHeader("Content-Security-Policy", POLICY),
                        new AnswerHeader("X-Content-Type-Options", "nosniff"),
                        new AnswerHeader("Referrer-Policy", "same-origin"),
                        new AnswerHeader("Cross-Origin-Opener-Policy", "same-origin"),
                        new AnswerHeader("Cross-Origin-Resource-Policy", "same-origin")),
                Payload.of(body));
    }

    /** Redirects with 303, so that a reload does not send the form again. */
    static ConsoleReply redirect(String place) {
        return of(303, "text/plain; charset=utf-8", new byte[0]).with("Location", place);
    }

    ConsoleReply with(String name, String value) {
        var more = new ArrayList<>(headers);
        more.add(new AnswerHeader(name, value));
        return new ConsoleReply(status, more, body);
    }
}
