package dev.refrain.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats requests and responses for people: short, on one line, and without secrets. */
final class TranscriptFormatter {

    private static final int MAX_BODY = 160;
    private static final int MAX_KEY = 60;
    private static final int MIN_SECRET = 4;
    private static final String MASK = "•••";

    private final ApiUnderTest api;
    private final List<String> secrets;

    TranscriptFormatter(VerifySettings subject) {
        this.api = subject.api();
        this.secrets = secrets(subject);
    }

    private static List<String> secrets(VerifySettings subject) {
        var all = new ArrayList<>(subject.api().headers());
        all.addAll(subject.otherCaller());
        return all.stream()
                .filter(header -> !header.is("Content-Type") && !header.is("Accept"))
                .flatMap(header -> List.of(header.value(), header.value().replaceFirst("^\\S+\\s+", "")).stream())
                .flatMap(secret -> SecretForms.of(secret).stream())
                .filter(secret -> secret.length() >= MIN_SECRET)
                .distinct()
                .sorted((one, other) -> other.length() - one.length())
                .toList();
    }

    String request(VerifyRequest call) {
        String target = api.route().path();
        String query = call.query().isEmpty() ? "" : (target.contains("?") ? "&" : "?") + call.query();
        String keys = call.keys().isEmpty()
                ? "without a key"
                : call.keys().stream()
                        .map(key -> api.keyHeader() + ": " + line(key, MAX_KEY))
                        .collect(Collectors.joining(", "));
        String more = call.more().stream()
                .map(header -> ", " + header.name() + ": " + header.value())
                .collect(Collectors.joining());
        return safe(api.route().method() + " " + target + query + "  " + keys + more) + "  "
                + line(call.body(), MAX_BODY);
    }

    String answer(VerifyResponse answer) {
        if (answer.status() == VerifyResponse.NONE.status()) {
            return "(response not awaited)";
        }
        String marked = answer.isMarkedReplay() ? " (replay)" : "";
        String retry = answer.header("Retry-After")
                .map(value -> ", Retry-After: " + value)
                .orElse("");
        String type = answer.type().isEmpty() ? "" : "  " + answer.type();
        return (safe(answer.status() + marked + retry + type) + "  " + line(answer.text(), MAX_BODY)).stripTrailing();
    }

    /** Masks the credentials, in case an API echoes them, in whatever form it does. */
    String safe(String text) {
        String hidden = text;
        for (String secret : secrets) {
            hidden = hidden.replace(secret, MASK);
        }
        return hidden;
    }

    /** Masks secrets before cutting, since a cut could leave half of one. */
    private String line(String whole, int limit) {
        String text = safe(whole);
        var line = new StringBuilder();
        text.codePoints().limit(limit).forEach(character -> {
            if (character == '\n' || character == '\r' || character == '\t') {
                line.append(' ');
            } else if (Character.isISOControl(character)) {
                line.append(String.format("\\x%02x", character));
            } else {
                line.appendCodePoint(character);
            }
        });
        return text.length() > limit ? line + "… (" + text.length() + " characters)" : line.toString();
    }
}
